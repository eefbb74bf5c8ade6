package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The memory of this machine at one moment.
 *
 * @param totalBytes MemTotal
 * @param availableBytes MemAvailable, and what is free in the processors' own lists
 */
public record NodeMemoryReader(long totalBytes, long availableBytes) {

  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Path ZONEINFO = Path.of("/proc/zoneinfo");
  private static final Pattern PER_CPU_COUNT = Pattern.compile("(?m)^ +count: +(\\d+)");
  private static final long PAGE_BYTES = 4096;

  /** Reads it. */
  public static NodeMemoryReader now() throws IOException {
    return parse(Files.readString(MEMINFO, US_ASCII), Files.readString(ZONEINFO, US_ASCII));
  }

  static NodeMemoryReader parse(String meminfo, String zoneinfo) throws IOException {
    long perCpuPages =
        PER_CPU_COUNT.matcher(zoneinfo).results().mapToLong(m -> Long.parseLong(m.group(1))).sum();
    return new NodeMemoryReader(
        field(meminfo, "MemTotal:"), field(meminfo, "MemAvailable:") + perCpuPages * PAGE_BYTES);
  }

  /** v: what cannot be had without taking it from someone. */
  public long usedBytes() {
    return totalBytes - availableBytes;
  }

  private static long field(String meminfo, String name) throws IOException {
    int at = meminfo.indexOf(name);
    int end = meminfo.indexOf("kB", at);
    if (at < 0 || end < 0) {
      throw new IOException(MEMINFO + " has no " + name);
    }
    return Long.parseLong(meminfo.substring(at + name.length(), end).strip()) * 1024;
  }
}
