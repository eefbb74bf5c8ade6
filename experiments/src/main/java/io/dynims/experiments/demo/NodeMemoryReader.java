package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.node.MemInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The memory of this machine at one moment.
 *
 * @param totalBytes MemTotal
 * @param availableBytes MemAvailable, plus the free pages in the processors' own lists
 */
public record NodeMemoryReader(long totalBytes, long availableBytes) {

  private static final Path ZONEINFO = Path.of("/proc/zoneinfo");
  private static final Pattern PER_CPU_COUNT = Pattern.compile("(?m)^ +count: +(\\d+)");
  private static final long PAGE_BYTES = 4096;

  /** Reads it. */
  public static NodeMemoryReader now() throws IOException {
    return of(MemInfo.read(), Files.readString(ZONEINFO, US_ASCII));
  }

  static NodeMemoryReader of(MemInfo memory, String zoneinfo) {
    long perCpuPages =
        PER_CPU_COUNT.matcher(zoneinfo).results().mapToLong(m -> Long.parseLong(m.group(1))).sum();
    return new NodeMemoryReader(
        memory.totalBytes(), memory.availableBytes() + perCpuPages * PAGE_BYTES);
  }

  /** Memory in use, v: what is not available. */
  public long usedBytes() {
    return totalBytes - availableBytes;
  }
}
