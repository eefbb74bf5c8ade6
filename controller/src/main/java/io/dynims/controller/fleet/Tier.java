package io.dynims.controller.fleet;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.policy.NodePolicySpec;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;

/** What is known about one tier of one node. */
public final class Tier {

  private final TierKey key;
  private final DecisionLog decisions = new DecisionLog();
  private final ChangeLog.Limits limits = new ChangeLog.Limits();

  private NodePolicySpec document;
  private Policy policy;
  private TierStatus inForce;
  private TierReply lastPush;
  private String failure;
  private TierState shownState;

  Tier(NodePolicySpec document) {
    this.key = document.key();
    follow(document);
  }

  /** The node and the tier. */
  public TierKey key() {
    return key;
  }

  /** What the policy documents say about it. */
  public NodePolicySpec document() {
    return document;
  }

  /** The policy that the documents give this tier. */
  public Policy policy() {
    return policy;
  }

  /** The newest decision; null if none came yet. */
  public Target lastDecision() {
    return decisions.newest();
  }

  /** The tier as its adapter last told; null if it never did. */
  public TierStatus inForce() {
    return inForce;
  }

  DecisionLog decisions() {
    return decisions;
  }

  ChangeLog.Limits limits() {
    return limits;
  }

  /** How the last push that was answered ended; null if there was none. */
  TierReply lastPush() {
    return lastPush;
  }

  /** Why the last request failed; null if it did not. */
  String failure() {
    return failure;
  }

  TierState shownState() {
    return shownState;
  }

  void show(TierState state) {
    shownState = state;
  }

  void follow(NodePolicySpec newDocument) {
    document = newDocument;
    policy = newDocument.policy();
  }

  /**
   * M, the memory that the node may use, as far as it is known: from the policy's budget, the last
   * decision or the adapter. Null before that.
   */
  Long memoryTotalBytes() {
    if (policy.memoryBudgetBytes() != null) {
      return policy.memoryBudgetBytes();
    }
    if (lastDecision() != null) {
      return lastDecision().memoryTotalBytes();
    }
    return inForce == null ? null : inForce.nodeMemoryBytes();
  }

  void answered(TierReply reply, boolean push) {
    failure = reply.status() == AckStatus.Failed ? reply.message() : null;
    if (failure == null) {
      inForce = reply.tier();
      lastPush = push ? reply : lastPush;
    }
  }
}
