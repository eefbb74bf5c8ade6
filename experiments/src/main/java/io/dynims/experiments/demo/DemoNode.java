package io.dynims.experiments.demo;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.core.node.GroupMemory;
import io.dynims.core.node.MachineMemory;
import io.dynims.core.node.NodeSampler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The node of a running stack: this machine, or a control group that plays the node. */
public final class DemoNode implements MemorySampler.Source, AutoCloseable {

  private final Optional<NodeGroup> group;
  private final NodeSampler memory;

  /** Opens it; a group must exist. */
  public DemoNode(Optional<NodeGroup> group) throws IOException {
    this.group = group;
    this.memory =
        group.isPresent()
            ? new GroupMemory(group.get().folder(), Long.MAX_VALUE)
            : new MachineMemory(Path.of("/"));
  }

  /** The memory in use on the node, as the agent and the guard see it. */
  @Override
  public synchronized long usedBytes() throws IOException {
    memory.sample(true);
    return memory.usedBytes();
  }

  /** The command line of a program that runs on the node. */
  List<String> place(List<String> program) {
    return group.map(node -> node.command("load", program)).orElse(program);
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
