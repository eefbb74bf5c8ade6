package io.dynims.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** How much memory this node has, or this process's control group lets it use if that is less. */
final class NodeMemory {

  private final Path root;

  /** Reads {@code proc} and {@code sys} under a root, which is {@code /} but in tests. */
  NodeMemory(Path root) {
    this.root = root;
  }

  /** In bytes; empty where it cannot be found out. */
  OptionalLong totalBytes() {
    try {
      long total = memTotalBytes();
      for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
        String[] fields = line.split(":", 3);
        if (fields.length == 3 && fields[1].isEmpty()) {
          total = Math.min(total, least("sys/fs/cgroup", fields[2], "memory.max"));
        } else if (fields.length == 3 && List.of(fields[1].split(",")).contains("memory")) {
          total =
              Math.min(total, least("sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"));
        }
      }
      return OptionalLong.of(total);
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private long memTotalBytes() throws IOException {
    for (String line : Files.readAllLines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IOException("no MemTotal");
  }

  /** A group's limit holds for the groups below it. In a container the path may not exist. */
  private long least(String hierarchy, String group, String file) {
    Path top = root.resolve(hierarchy);
    long least = Long.MAX_VALUE;
    for (Path path = top.resolve(group.substring(1)).normalize();
        path != null && path.startsWith(top);
        path = path.getParent()) {
      least = Math.min(least, limitBytes(path.resolve(file)));
    }
    return least;
  }

  private static long limitBytes(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // "max", or no such limit at this level.
    }
  }
}
