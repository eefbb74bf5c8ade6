package io.dynims.torture.world;

import io.dynims.core.node.NodeSampler;
import io.dynims.simulation.SimulatedNode;

/** Samples the memory of a simulated node. */
final class NodeProbe implements NodeSampler {

  private final SimulatedNode node;
  private long usedBytes;
  private long stalledMicros;

  NodeProbe(SimulatedNode node) {
    this.node = node;
  }

  @Override
  public void sample(boolean exact) {
    usedBytes = node.usedBytes();
    stalledMicros = node.stalledMicros();
  }

  @Override
  public long totalBytes() {
    return node.totalBytes();
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
  public void close() {
    // Nothing is open.
  }
}
