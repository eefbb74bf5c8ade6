package io.dynims.policy;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import java.net.URI;
import java.util.Objects;

/** What a document specifies for one node: its policy and the address of its adapter. */
public final class NodePolicySpec {

  /** The annotation that pauses a document: {@code "true"} or {@code "false"}. */
  public static final String PAUSED_ANNOTATION = "dynims.io/paused";

  private final MemoryTierDocument document;
  private final ClaimedNode node;
  private final double otherWeight;

  NodePolicySpec(MemoryTierDocument document, ClaimedNode node, double otherWeight) {
    this.document = document;
    this.node = node;
    this.otherWeight = otherWeight;
  }

  /** The same beside other tiers of the node with these weights in all. */
  NodePolicySpec beside(double newOtherWeight) {
    return new NodePolicySpec(document, node, newOtherWeight);
  }

  /** Its weight among the tiers of the node that are resized; 0 if it is not resized. */
  double weight() {
    return mode() == Mode.Enforce ? document.share().weight() : 0;
  }

  /** The node and the tier. */
  public TierKey key() {
    return new TierKey(node.name(), document.name());
  }

  /** The base address of the node's adapter; null while none is known. */
  public URI adapter() {
    return node.adapter();
  }

  /** The mode in force; a paused policy is at most {@link Mode#Recommend}. */
  public Mode mode() {
    return document.modeInForce();
  }

  /** Whether somebody paused the tier. */
  public boolean paused() {
    return document.paused();
  }

  /** r0, the utilization to hold the node at. */
  public double threshold() {
    return document.threshold();
  }

  /** The policy of this node; its percentages are resolved where the node's samples are. */
  public Policy policy() {
    return new Policy(
        node.name(),
        document.name(),
        mode(),
        document.law(),
        document.threshold(),
        document.gain(),
        document.forecast(),
        document.min().bytes(),
        document.min().ratio(),
        document.max().bytes(),
        document.max().ratio(),
        document.memoryBudgetBytes(),
        document.intervalMillis(),
        document.staleAfterMillis(),
        document.onDelete(),
        document.unpersisted(),
        document.guard(),
        document.share().beside(otherWeight));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodePolicySpec that
        && document.equals(that.document)
        && node.equals(that.node)
        && otherWeight == that.otherWeight;
  }

  @Override
  public int hashCode() {
    return Objects.hash(document, node, otherWeight);
  }
}
