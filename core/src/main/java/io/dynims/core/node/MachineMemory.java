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
  private static final byte[] MANAGED = " managed".getBytes(US_ASCII);
  private static final byte[] SOME_TOTAL = "total=".getBytes(US_ASCII);

  private static final Path ROOT = Path.of("/");

  private final KernelFile meminfo;
  private final KernelFile zoneinfo;
  private final KernelFile pressure;
  private final long pageBytes;
  private long totalBytes;
  private long availableBytes;
  private long stalledMicros = UNKNOWN;

  /**
   * Opens the kernel's files below a root; the root is {@code /} except in tests.
   *
   * @throws IOException if there is no {@code /proc/meminfo}
   */
  public MachineMemory(Path root) throws IOException {
    this.meminfo = new KernelFile(root.resolve("proc/meminfo"));
    Path zones = root.resolve("proc/zoneinfo");
    // A sandbox may have none.
    this.zoneinfo = Files.isReadable(zones) ? new KernelFile(zones) : null;
    this.pressure = pressure(root.resolve("proc/pressure/memory"));
    this.pageBytes = PageSize.bytes(root.resolve("proc/self/auxv"));
  }

  /**
   * This machine's memory, from one read; what is returned is closed and keeps its figures.
   *
   * @throws IOException if it cannot be read; the message names a missing field
   */
  public static MachineMemory now() throws IOException {
    return now(ROOT);
  }

  /** The same by the kernel's files below a root. */
  public static MachineMemory now(Path root) throws IOException {
    try (MachineMemory memory = new MachineMemory(root)) {
      memory.sample(false);
      return memory;
    }
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
  static long stalledMicros(KernelFile pressure) {
    if (pressure == null) {
      return UNKNOWN;
    }
    try {
      pressure.read();
    } catch (IOException e) {
      return UNKNOWN; // The account can be switched off at any time; memory is measured still.
    }
    return pressure.number(SOME_TOTAL);
  }

  @Override
  public void sample(boolean exact) throws IOException {
    meminfo.read();
    totalBytes = meminfo.required(TOTAL) * 1024;
    availableBytes = meminfo.required(AVAILABLE) * 1024;
    if (totalBytes == 0 || availableBytes > totalBytes) {
      throw new IOException(
          "MemAvailable is above MemTotal, or that is 0: /proc is partly another machine's");
    }
    if (exact && zoneinfo != null) {
      availableBytes += perCpuFreeBytes();
    }
    stalledMicros = stalledMicros(pressure);
  }

  /**
   * The free memory in the processors' own lists; 0 if the zones are not those of the machine whose
   * memory was read: in a container, one of the two files may be the host's. A machine's zones have
   * as many pages as {@code MemTotal} says, or fewer while the kernel has not given out all of
   * them; far fewer are pages of another size.
   */
  private long perCpuFreeBytes() throws IOException {
    zoneinfo.read();
    long managedBytes = zoneinfo.sum(MANAGED) * pageBytes;
    return managedBytes < totalBytes / 2 || managedBytes > totalBytes + totalBytes / 100
        ? 0
        : zoneinfo.sum(PER_CPU_COUNT) * pageBytes;
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
    if (zoneinfo != null) {
      zoneinfo.close();
    }
    if (pressure != null) {
      pressure.close();
    }
  }
}
