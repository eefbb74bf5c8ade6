package io.dynims.experiments.paper;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackException;
import io.dynims.core.node.GroupMemory;
import io.dynims.core.node.NodeSampler;
import io.dynims.local.AtExit;
import java.io.IOException;
import java.nio.file.Path;

/** The control group that plays the node: its limit is the node's memory. */
final class MemoryGroup implements AutoCloseable {

  /** The name of the group below it that holds what plays HPCC. */
  static final String LOAD = "load";

  private final ControlGroups groups = ControlGroups.ofThisMachine();
  private final Path folder;
  private final AtExit atExit = new AtExit(this::remove);

  /**
   * Makes the group, anew if an interrupted experiment has left one.
   *
   * @param limitBytes what everything in the group may use
   * @throws StackException if this user may not
   */
  MemoryGroup(String name, long limitBytes) throws StackException, IOException {
    folder = groups.makeNode(name, limitBytes);
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
    return groups.outOfMemoryKills(folder);
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
