package io.dynims.core.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The memory of a node that is a control group, as where containers stand in for nodes. The
 * collectd agent of such a node reads the same group.
 */
public final class GroupMemory implements NodeSampler {

  private static final byte[] NUMBER = {};

  private final long memoryTotalBytes;
  private final KernelFile limit;
  private final KernelFile usage;
  private final KernelFile stat;
  private final KernelFile pressure;
  private final byte[][] reclaimable;
  private long totalBytes;
  private long usedBytes;
  private long stalledMicros = UNKNOWN;

  /**
   * Finds the group that holds the node's containers: the parent of the one this process is in.
   *
   * @param root where the host's control groups are mounted
   * @param pid this process, as the mounted files know it
   * @param memoryTotalBytes the node's memory where the group has no lower limit
   * @throws IOException if no group below the root has the process
   */
  public GroupMemory(Path root, long pid, long memoryTotalBytes) throws IOException {
    this(above(root, pid), memoryTotalBytes);
  }

  /**
   * Reads a known group, of either version.
   *
   * @param node the group's folder
   * @param memoryTotalBytes the node's memory where the group has no lower limit
   */
  public GroupMemory(Path node, long memoryTotalBytes) throws IOException {
    boolean unified = Files.exists(node.resolve("memory.current"));
    this.memoryTotalBytes = memoryTotalBytes;
    this.limit = new KernelFile(node.resolve(unified ? "memory.max" : "memory.limit_in_bytes"));
    this.usage = new KernelFile(node.resolve(unified ? "memory.current" : "memory.usage_in_bytes"));
    this.stat = new KernelFile(node.resolve("memory.stat"));
    this.pressure = MachineMemory.pressure(node.resolve("memory.pressure"));
    // Files' pages can be reclaimed; those of tmpfs cannot, and are not among them.
    this.reclaimable =
        unified
            ? keys("\nactive_file", "\ninactive_file", "\nslab_reclaimable")
            : keys("\ntotal_active_file", "\ntotal_inactive_file");
  }

  private static Path above(Path root, long pid) throws IOException {
    boolean unified = Files.exists(root.resolve("cgroup.controllers"));
    return groupOf(pid, unified ? root : root.resolve("memory")).getParent();
  }

  private static byte[][] keys(String... names) {
    return Stream.of(names).map(name -> name.getBytes(US_ASCII)).toArray(byte[][]::new);
  }

  private static Path groupOf(long pid, Path top) throws IOException {
    String line = Long.toString(pid);
    try (Stream<Path> folders = Files.walk(top)) {
      return folders
          .filter(path -> path.endsWith("cgroup.procs"))
          .filter(path -> hasLine(path, line))
          .map(Path::getParent)
          .filter(group -> !group.equals(top))
          .findFirst()
          .orElseThrow(() -> new IOException("no control group below " + top + " has " + pid));
    }
  }

  private static boolean hasLine(Path file, String line) {
    try {
      return Files.readAllLines(file).contains(line);
    } catch (IOException e) {
      return false; // It has just ended, or holds threads only.
    }
  }

  @Override
  public void sample(boolean exact) throws IOException {
    limit.read();
    usage.read();
    stat.read();
    long limitBytes = limit.number(NUMBER); // -1 where it is "max"
    totalBytes = limitBytes < 0 ? memoryTotalBytes : Math.min(memoryTotalBytes, limitBytes);
    usedBytes = usage.required(NUMBER);
    for (byte[] key : reclaimable) {
      usedBytes -= Math.max(0, stat.number(key));
    }
    usedBytes = Math.max(0, Math.min(usedBytes, totalBytes));
    stalledMicros = MachineMemory.stalledMicros(pressure);
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }

  @Override
  public long stalledMicros() {
    return stalledMicros;
  }

  @Override
  public void close() throws IOException {
    limit.close();
    usage.close();
    stat.close();
    if (pressure != null) {
      pressure.close();
    }
  }
}
