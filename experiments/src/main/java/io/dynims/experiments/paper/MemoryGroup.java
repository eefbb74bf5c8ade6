package io.dynims.experiments.paper;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The control group that plays the node: its limit is the node's memory. */
final class MemoryGroup implements AutoCloseable {

  private static final Path MEMORY = Path.of("/sys/fs/cgroup/memory");

  private final Path folder;
  private final AtExit atExit = new AtExit(this::remove);

  /**
   * Makes the group, anew if an interrupted experiment has left one.
   *
   * @param limitBytes what everything in the group may use
   * @throws StackException if this machine has no control groups version 1 that this user may write
   */
  MemoryGroup(String name, long limitBytes) throws StackException, IOException {
    folder = MEMORY.resolve(name);
    if (!Files.isWritable(MEMORY.resolve("cgroup.procs"))) {
      throw new StackException(
          "the experiment needs the memory controller of control groups version 1 at "
              + MEMORY
              + ", and root");
    }
    remove();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("memory.limit_in_bytes"), Long.toString(limitBytes));
  }

  /** The group, for the stack's setting {@code node.cgroup}. */
  NodeGroup node() {
    return new NodeGroup(folder);
  }

  /** Memory in use that the kernel cannot reclaim. */
  long usedBytes() throws IOException {
    long usedBytes = number(folder.resolve("memory.usage_in_bytes"));
    for (String line : Files.readAllLines(folder.resolve("memory.stat"))) {
      if (line.startsWith("total_active_file ") || line.startsWith("total_inactive_file ")) {
        usedBytes -= Long.parseLong(line.substring(line.indexOf(' ') + 1));
      }
    }
    return Math.max(0, usedBytes);
  }

  /** How often the kernel killed a process for want of memory. */
  long outOfMemoryKills() throws IOException {
    long kills = 0;
    try (Stream<Path> groups = Files.walk(folder)) {
      for (Path control : groups.filter(path -> path.endsWith("memory.oom_control")).toList()) {
        for (String line : Files.readAllLines(control)) {
          kills += line.startsWith("oom_kill ") ? Long.parseLong(line.substring(9)) : 0;
        }
      }
    }
    return kills;
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }

  /** Removes the group as soon as its processes have ended. */
  @Override
  public void close() throws IOException, StackException {
    atExit.cancel();
    remove();
  }

  private void remove() throws IOException, StackException {
    ControlGroups.remove(folder);
  }
}
