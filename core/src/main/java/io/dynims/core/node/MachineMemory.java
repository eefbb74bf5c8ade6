package io.dynims.core.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this machine, as the collectd agent reads it. */
public final class MachineMemory implements NodeSampler {

  private static final byte[] TOTAL = "MemTotal:".getBytes(US_ASCII);
  private static final byte[] AVAILABLE = "MemAvailable:".getBytes(US_ASCII);
  private static final byte[] PER_CPU_COUNT = " count:".getBytes(US_ASCII);
  private static final byte[] SOME_TOTAL = "total=".getBytes(US_ASCII);
  private static final long PAGE_BYTES = 4096;

  private final KernelFile meminfo;
  private final KernelFile zoneinfo;
  private final KernelFile pressure;
  private long totalBytes;
  private long availableBytes;
  private long stalledMicros = UNKNOWN;

  /**
   * Opens the kernel's files below a root; the root is {@code /} except in tests.
   *
   * @throws IOException if one that every kernel has cannot be opened
   */
  public MachineMemory(Path root) throws IOException {
    this.meminfo = new KernelFile(root.resolve("proc/meminfo"));
    this.zoneinfo = new KernelFile(root.resolve("proc/zoneinfo"));
    this.pressure = pressure(root.resolve("proc/pressure/memory"));
  }

  /** The kernel's account of waiting, or null where it keeps none. */
  static KernelFile pressure(Path file) {
    try {
      if (!Files.isReadable(file)) {
        return null;
      }
      KernelFile opened = new KernelFile(file);
      opened.read(); // A kernel that could measure, but was told not to, fails here.
      return opened;
    } catch (IOException e) {
      return null;
    }
  }

  /** The microseconds in an account of waiting; the line of "some" is its first. */
  static long stalledMicros(KernelFile pressure) throws IOException {
    if (pressure == null) {
      return UNKNOWN;
    }
    pressure.read();
    return pressure.number(SOME_TOTAL);
  }

  @Override
  public void sample(boolean exact) throws IOException {
    meminfo.read();
    totalBytes = meminfo.required(TOTAL) * 1024;
    availableBytes = meminfo.required(AVAILABLE) * 1024;
    if (exact) {
      zoneinfo.read();
      availableBytes += zoneinfo.sum(PER_CPU_COUNT) * PAGE_BYTES;
    }
    stalledMicros = stalledMicros(pressure);
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long usedBytes() {
    return Math.max(0, totalBytes - availableBytes);
  }

  @Override
  public long stalledMicros() {
    return stalledMicros;
  }

  @Override
  public void close() throws IOException {
    meminfo.close();
    zoneinfo.close();
    if (pressure != null) {
      pressure.close();
    }
  }
}
