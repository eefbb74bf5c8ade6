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

  private NodePolicySpec document;
  private Policy policy;
  private long nodeMemoryBytes;
  private String pendingReason;
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

  /** The policy; null as long as the node's memory must be known and is not. */
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

  String pendingReason() {
    return pendingReason;
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
    resolve();
  }

  /** Whether the policy is another than before. */
  boolean answered(TierReply reply, boolean push) {
    failure = reply.status() == AckStatus.Failed ? reply.message() : null;
    Policy before = policy;
    long memoryBefore = nodeMemoryBytes;
    if (failure == null) {
      inForce = reply.tier();
      lastPush = push ? reply : lastPush;
      Long reportedBytes = reply.tier().nodeMemoryBytes();
      if (reportedBytes != null && reportedBytes > 0) {
        nodeMemoryBytes = reportedBytes;
      }
    }
    if (policy == null || nodeMemoryBytes != memoryBefore) {
      resolve();
    }
    return policy != null && !policy.equals(before);
  }

  private void resolve() {
    pendingReason = null;
    if (document.needsMemoryTotal() && nodeMemoryBytes == 0) {
      policy = null;
      pendingReason = whyMemoryIsUnknown();
      return;
    }
    try {
      policy = document.policy(nodeMemoryBytes);
    } catch (IllegalArgumentException e) {
      policy = null;
      pendingReason = e.getMessage() + " on a node of " + nodeMemoryBytes + " bytes";
    }
  }

  private String whyMemoryIsUnknown() {
    String why = "spec.capacity is a percentage and the node's memory is not known: ";
    if (failure != null) {
      return why + failure;
    }
    return inForce == null
        ? why + "its adapter has not answered yet"
        : why + "its adapter does not tell memoryTotalBytes; set spec.memory.total";
  }
}
