package io.dynims.controller.fleet;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.policy.NodePolicySpec;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.util.Comparator;

/** The state of one tier of one node. */
public final class Tier {

  /** By node, then by name. */
  static final Comparator<Tier> BY_NAME =
      Comparator.<Tier, String>comparing(tier -> tier.key().node())
          .thenComparing(tier -> tier.key().tier());

  private final TierKey key;
  private final DecisionLog decisions = new DecisionLog();

  private NodePolicySpec document;
  private Policy policy;
  private TierStatus inForce;
  private TierReply lastPush;
  private String failure;
  private TierState shownState;
  private String shownProblem;
  private long guardDecidedMillis;

  Tier(NodePolicySpec document) {
    this.key = document.key();
    applyPolicy(document);
  }

  /** The node and the tier. */
  public TierKey key() {
    return key;
  }

  /** Its part of the policy documents. */
  public NodePolicySpec document() {
    return document;
  }

  /** The policy that the documents give this tier. */
  public Policy policy() {
    return policy;
  }

  /** The newest decision, or null. */
  public Target lastDecision() {
    return decisions.newest();
  }

  /** The tier's status as its adapter last reported it; null if it never did. */
  public TierStatus inForce() {
    return inForce;
  }

  /** When the newest decision of the guard that is known here was made; 0 if none is. */
  public long guardDecidedMillis() {
    return guardDecidedMillis;
  }

  void guardDecided(long millis) {
    guardDecidedMillis = millis;
  }

  TierTrend trend(long nowMillis) {
    return new TierTrend(key.node(), key.tier(), decisions.trend(nowMillis));
  }

  DecisionLog decisions() {
    return decisions;
  }

  /** The last successful reply to a push, or null. */
  TierReply lastPush() {
    return lastPush;
  }

  /** Why the last request failed, or null. */
  String failure() {
    return failure;
  }

  TierState shownState() {
    return shownState;
  }

  void show(TierState state) {
    shownState = state;
  }

  /** The problem of its policy that was logged last, or null. */
  String shownProblem() {
    return shownProblem;
  }

  void showProblem(String problem) {
    shownProblem = problem;
  }

  void applyPolicy(NodePolicySpec newDocument) {
    document = newDocument;
    policy = newDocument.policy();
  }

  /**
   * M, the memory that the node may use, as far as it is known: from the policy's budget and the
   * adapter, or the last decision. Null before that.
   */
  Long memoryTotalBytes() {
    Long nodeBytes = inForce == null ? null : inForce.nodeMemoryBytes();
    if (policy.memoryBudgetBytes() != null) {
      return nodeBytes == null ? policy.memoryBudgetBytes() : policy.memoryTotalBytes(nodeBytes);
    }
    return lastDecision() == null ? nodeBytes : Long.valueOf(lastDecision().memoryTotalBytes());
  }

  void recordReply(TierReply reply, boolean push) {
    failure = reply.status() == AckStatus.Failed ? reply.message() : null;
    if (failure == null) {
      inForce = reply.tier();
      lastPush = push ? reply : lastPush;
    }
  }
}
