package io.dynims.core.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A machine's memory, from one read of {@code /proc/meminfo}.
 *
 * @param totalBytes {@code MemTotal}
 * @param availableBytes {@code MemAvailable}
 */
public record MemInfo(long totalBytes, long availableBytes) {

  /** Where the kernel reports it. */
  public static final Path FILE = Path.of("/proc/meminfo");

  /**
   * Reads this machine's memory.
   *
   * @throws IOException if the file cannot be read; the message names a missing field
   */
  public static MemInfo read() throws IOException {
    return read(FILE);
  }

  /**
   * Reads a file with the format of {@code /proc/meminfo}.
   *
   * @throws IOException if the file cannot be read; the message names a missing field
   */
  public static MemInfo read(Path file) throws IOException {
    return parse(Files.readString(file, US_ASCII));
  }

  /**
   * Parses the text of {@code /proc/meminfo}.
   *
   * @throws IOException naming a field that is missing or malformed
   */
  public static MemInfo parse(String meminfo) throws IOException {
    return new MemInfo(bytes(meminfo, "MemTotal:"), bytes(meminfo, "MemAvailable:"));
  }

  private static long bytes(String meminfo, String field) throws IOException {
    for (String line : meminfo.lines().toList()) {
      if (line.startsWith(field)) {
        String value = line.substring(field.length()).strip();
        try {
          return Long.parseLong(value.replaceFirst(" kB$", "")) * 1024;
        } catch (NumberFormatException e) {
          throw new IOException("/proc/meminfo: " + line.strip() + " is not a number of kB", e);
        }
      }
    }
    throw new IOException("/proc/meminfo has no " + field.replace(":", ""));
  }
}
