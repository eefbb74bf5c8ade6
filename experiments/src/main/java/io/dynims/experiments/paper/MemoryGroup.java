package io.dynims.experiments.paper;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackException;
import io.dynims.core.config.AtExit;
import io.dynims.core.node.GroupMemory;
import io.dynims.core.node.NodeSampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The control group that plays the node: its limit is the node's memory. */
final class MemoryGroup implements AutoCloseable {

  /** The name of the group below it that holds what plays HPCC. */
  static final String LOAD = "load";

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

  /** A reader of the memory in use, as the agent and the adapter read it. */
  NodeSampler sampler() throws IOException {
    return new GroupMemory(folder, Long.MAX_VALUE);
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
