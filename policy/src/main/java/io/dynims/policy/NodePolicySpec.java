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

  /** The annotation that pauses a document on some nodes: their names, separated by commas. */
  public static final String PAUSED_NODES_ANNOTATION = "dynims.io/paused-nodes";

  private final String source;
  private final MemoryTierDocument document;
  private final MemoryTierDocument first;
  private final ClaimedNode node;
  private final double otherWeight;

  /**
   * A part of a document.
   *
   * @param source the file and the document's label in it
   * @param first the first document of the node: its law and memory are those of all tiers there
   */
  NodePolicySpec(
      String source,
      MemoryTierDocument document,
      MemoryTierDocument first,
      ClaimedNode node,
      double otherWeight) {
    this.source = source;
    this.document = document;
    this.first = first;
    this.node = node;
    this.otherWeight = otherWeight;
  }

  /** The same on a node whose other tiers have this sum of weights. */
  NodePolicySpec beside(double newOtherWeight) {
    return new NodePolicySpec(source, document, first, node, newOtherWeight);
  }

  /** Whether it contradicts the node's first document, whose law and memory apply. */
  public boolean isOverruled() {
    return document.contradicts(first) != null;
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

  /** The namespace of its MemoryTier; null if it comes from a policy file. */
  public String namespace() {
    return document.namespace();
  }

  /** Where it comes from: the name of its MemoryTier, or the policy file and the document in it. */
  public String origin() {
    return document.namespace() == null ? source : document.name();
  }

  /** The mode in force; a paused policy is at most {@link Mode#Recommend}. */
  public Mode mode() {
    return document.modeOn(node.name());
  }

  /** Whether somebody paused the tier, on this node or on all. */
  public boolean paused() {
    return document.isPausedOn(node.name());
  }

  /** The mode in force on the document's nodes, except those that are paused one by one. */
  public Mode documentMode() {
    return document.modeInForce();
  }

  /** Whether somebody paused the document on all nodes. */
  public boolean documentPaused() {
    return document.paused();
  }

  /** r0, the utilization to hold the node at. */
  public double threshold() {
    return first.threshold();
  }

  /** The policy of this node; its percentages are resolved where the node's samples are. */
  public Policy policy() {
    return new Policy(
        node.name(),
        document.name(),
        mode(),
        first.law(),
        first.threshold(),
        first.gain(),
        first.forecast(),
        document.min().bytes(),
        document.min().ratio(),
        document.max().bytes(),
        document.max().ratio(),
        first.memoryBudgetBytes(),
        first.intervalMillis(),
        Math.max(document.staleAfterMillis(), first.intervalMillis()),
        document.onDelete(),
        document.unpersisted(),
        document.guard(),
        document.share().beside(otherWeight));
  }

  /**
   * What the document says of other nodes does not count: another node would make every tier
   * another one, and comparing n tiers would take n² steps.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof NodePolicySpec that
        && source.equals(that.source)
        && node.equals(that.node)
        && otherWeight == that.otherWeight
        && paused() == that.paused()
        && document.isSameForEachNode(that.document)
        && first.saysSameOfTheNode(that.first);
  }

  @Override
  public int hashCode() {
    return Objects.hash(source, node, otherWeight);
  }
}
