package io.dynims.core.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The memory of this node, or the limit of this process's control group if that is lower. */
public final class NodeMemory {

  private final Path root;

  /** Reads {@code proc} and {@code sys} below a root; the root is {@code /} except in tests. */
  public NodeMemory(Path root) {
    this.root = root;
  }

  /** The memory in bytes; empty if it cannot be determined. */
  public OptionalLong totalBytes() {
    try {
      long total = MemInfo.read(root.resolve("proc/meminfo")).totalBytes();
      for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
        String[] fields = line.split(":", 3); // hierarchy:controllers:group
        if (fields.length == 3 && fields[1].isEmpty()) {
          total = Math.min(total, lowestLimitBytes("sys/fs/cgroup", fields[2], "memory.max"));
        } else if (fields.length == 3 && List.of(fields[1].split(",")).contains("memory")) {
          total =
              Math.min(
                  total,
                  lowestLimitBytes("sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"));
        }
      }
      return OptionalLong.of(total);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * The lowest limit of a group and its ancestors, whose limits apply to it, too. In a container
   * the group's path may not exist; its ancestors' still do.
   */
  private long lowestLimitBytes(String hierarchy, String group, String file) {
    Path top = root.resolve(hierarchy);
    long lowest = Long.MAX_VALUE;
    for (Path path = top.resolve(group.substring(1)).normalize();
        path != null && path.startsWith(top);
        path = path.getParent()) {
      lowest = Math.min(lowest, limitBytes(path.resolve(file)));
    }
    return lowest;
  }

  private static long limitBytes(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // "max", or no limit at this level.
    }
  }
}
