package io.dynims.cli.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * This machine's memory.
 *
 * @param memoryTotalBytes MemTotal
 * @param memoryAvailableBytes MemAvailable
 */
public record Machine(long memoryTotalBytes, long memoryAvailableBytes) {

  /** Reads it from /proc/meminfo. */
  public static Machine read() {
    try {
      return parse(Files.readString(Path.of("/proc/meminfo")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Machine parse(String meminfo) {
    return new Machine(bytes(meminfo, "MemTotal"), bytes(meminfo, "MemAvailable"));
  }

  private static long bytes(String meminfo, String field) {
    return meminfo
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(kibibytes -> Long.parseLong(kibibytes) << 10)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("/proc/meminfo has no " + field));
  }
}
