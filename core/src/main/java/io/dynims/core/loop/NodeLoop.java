package io.dynims.core.loop;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Held;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.List;

/**
 * The loop of one node: each fresh reading of its memory makes one decision for each tier if it is
 * the node's turn, and a node that goes silent makes one {@code Hold} for each tier. Between the
 * reports of a node that reports by exception, decisions go on while a tier still moves.
 *
 * <p>It has no clock, thread or I/O; the host passes in the time, stores the {@linkplain
 * NodeLoopState state}, and calls {@link #onTimer} at {@link NodeLoopState#timerMillis}. "Now" is
 * the host's clock; a sample's time is the node's. Either may be set back or forward: only
 * distances between two readings of a clock count, and no timer is further away than a node may be
 * silent. For use by one thread at a time.
 */
public final class NodeLoop {

  /** More than any node has; acks of further tiers that no policy names are dropped. */
  static final int MAX_TIERS = 64;

  private final NodeLoopState node;
  private final long startedMillis;
  private final LoopObserver observer;
  private final SampleFilter samples;
  private final ImpliedReadings implied;
  private final NodeStep step;

  /**
   * The loop of a node and of all its tiers.
   *
   * @param node what is known of the node; changed in place
   * @param startedMillis when the host started: neither silence nor acks count from before it
   */
  public NodeLoop(NodeLoopState node, long startedMillis, LoopObserver observer) {
    this(node, startedMillis, observer, 0);
  }

  /**
   * The loop of a node that has further tiers, which somebody else decides.
   *
   * @param node what is known of the node; changed in place
   * @param startedMillis when the host started: neither silence nor acks count from before it
   * @param otherWeight the weights of the further tiers, at least 0; their shares are left to them
   */
  public NodeLoop(
      NodeLoopState node, long startedMillis, LoopObserver observer, double otherWeight) {
    this.node = node;
    this.startedMillis = startedMillis;
    this.observer = observer;
    this.samples = new SampleFilter(node);
    this.step = new NodeStep(node, startedMillis, otherWeight);
    this.implied = new ImpliedReadings(node);
  }

  /** Decides on a reading, unless it must be refused, lacks parts, or it is not the node's turn. */
  public List<Target> onSample(MemoryReading reading, long nowMillis) {
    boundTimer(nowMillis);
    Refusal refusal = samples.refusal(reading, nowMillis);
    if (refusal == Refusal.SlowHeartbeat) {
      observer.slowHeartbeat(reading, node.staleAfterMillis());
    }
    if (refusal != null) {
      observer.refused(refusal, 1);
      return List.of();
    }
    MemoryReading complete = node.stockParts.join(reading, observer);
    return complete == null ? List.of() : decide(complete, nowMillis);
  }

  /** Follows a policy from now on. */
  public void onPolicy(Policy policy, long nowMillis) {
    TierLoopState tier = node.tiers.computeIfAbsent(policy.tier(), name -> new TierLoopState());
    if (!policy.equals(tier.policy)) {
      boolean joins = tier.policy == null;
      tier.follow(policy);
      if (joins) {
        node.joined(tier);
      }
      node.decideSoon();
    }
    if (node.timerMillis != 0) {
      node.timerMillis = Math.min(node.timerMillis, silentAtMillis(nowMillis));
    }
    setTimer(nowMillis);
    reportSilence();
  }

  /** Forgets a tier whose policy is withdrawn. */
  public void onWithdrawal(String tier) {
    TierLoopState withdrawn = node.tiers.remove(tier);
    if (withdrawn != null) {
      node.left(withdrawn);
    }
    reportSilence();
  }

  /** Keeps what is in force. An ack may overtake its policy; it is dropped if none follows. */
  public void onAck(Ack ack, long nowMillis) {
    boundTimer(nowMillis);
    node.dropUnnamedTiers(nowMillis);
    if (node.tiers.containsKey(ack.tier()) || node.tiers.size() < MAX_TIERS) {
      TierLoopState tier = node.tiers.computeIfAbsent(ack.tier(), name -> new TierLoopState());
      if (tier.awaitsAck() && ack.status() != AckStatus.Failed) {
        node.decideSoon();
      }
      boolean joins = tier.ack == null;
      node.moving |= tier.accept(ack, nowMillis);
      if (joins) {
        node.joined(tier);
      }
    }
    if (node.timerMillis == 0 && !node.hasPolicy()) {
      node.timerMillis = nowMillis + node.staleAfterMillis();
    }
    setTimer(nowMillis);
    reportSilence();
  }

  /**
   * Holds every tier if no reading came for so long that they are stale. A timer that is late or
   * early by as much tells nothing of the node: a clock was set, or the host stood still. Earlier
   * timers decide for a node that has left out samples; not if they are more than an interval late,
   * as a host that lags has more to do with what is reported. The next report makes up for them.
   */
  public List<Target> onTimer(long nowMillis) {
    long staleAfterMillis = node.staleAfterMillis();
    long lateMillis = nowMillis - node.timerMillis;
    boolean onTime = Math.abs(lateMillis) <= staleAfterMillis;
    long dueMillis = onTime ? silentAtMillis(nowMillis) : nowMillis + staleAfterMillis;
    node.timerMillis = dueMillis > nowMillis ? dueMillis : 0;
    if (node.timerMillis == 0) {
      return node.last != null && node.hasPolicy() ? hold(nowMillis) : List.of();
    }
    if (lateMillis > node.intervalMillis()) {
      return List.of();
    }
    List<Target> decisions = decideUnchanged(nowMillis);
    setTimer(nowMillis);
    return decisions;
  }

  /** Whether the host may drop the state: the node is silent and no policy names it. */
  public boolean isForgettable() {
    return node.timerMillis == 0 && !node.hasPolicy();
  }

  private List<Target> decide(MemoryReading reading, long nowMillis) {
    boolean back = node.silent;
    String prefix = back ? "metrics are back after " + seconds(silentForMillis(nowMillis)) : "";
    boolean outrun = implied.isOutrun(reading.sampledMillis());
    if (outrun) {
      node.rollBack();
    }
    MemoryReading before = node.last;
    if (implied.stand()) {
      step.decideLeftOut(implied.before(reading.sampledMillis()), implied.current(), nowMillis);
      before = implied.current();
      node.resetTurn();
    }
    accept(reading, nowMillis);
    if (back) {
      node.silent = false;
      node.model.block();
      observer.silenceEnded(reading.node(), prefix);
    }
    node.tiers.values().stream()
        .filter(tier -> tier.isDecided() && tier.ack == null)
        .forEach(tier -> observer.awaitsAck());
    List<NodeStep.Decided> decided = step.decide(reading, before, back, nowMillis);
    if (outrun) {
      // It does not show what a later decision did, which is not to be done again.
      decided.removeIf(
          each ->
              each.tier().pending != null
                  && each.decision().desiredBytes() > each.tier().pending.capacityBytes());
    }
    if (reading.isReport()) {
      node.report.keep(node, reading);
    }
    List<Target> targets = targets(decided, reading, prefix, nowMillis);
    setTimer(nowMillis);
    return targets;
  }

  /** Decides on what the node has left out; only a tier that still moves is given a target. */
  private List<Target> decideUnchanged(long nowMillis) {
    if (!implied.stand() || !node.isMoving()) {
      return List.of();
    }
    List<NodeStep.Decided> decided =
        step.decideLeftOut(implied.by(nowMillis), implied.current(), nowMillis);
    decided.removeIf(each -> each.decision().action() == Action.Hold);
    if (decided.isEmpty()) {
      return List.of();
    }
    MemoryReading unchanged = implied.current();
    String prefix =
        "unchanged for " + seconds(unchanged.sampledMillis() - node.last.sampledMillis());
    return targets(decided, unchanged, prefix, nowMillis);
  }

  private static List<Target> targets(
      List<NodeStep.Decided> decided, MemoryReading reading, String prefix, long nowMillis) {
    List<Target> targets = new ArrayList<>(decided.size());
    for (NodeStep.Decided each : decided) {
      String own = each.decision().reason();
      String reason = prefix.isEmpty() ? own : prefix + ": " + own;
      long sampledMillis = each.tier().decided(each.decision(), reading);
      targets.add(target(each.tier(), each.decision(), reason, sampledMillis, nowMillis));
    }
    return targets;
  }

  private void accept(MemoryReading reading, long nowMillis) {
    node.accept(reading, nowMillis);
    node.dropUnnamedTiers(nowMillis);
    if (node.timerMillis == 0) {
      node.timerMillis = nowMillis + node.staleAfterMillis();
    }
    if (node.hasPolicy()) {
      observer.accepted();
    } else {
      observer.refused(Refusal.NoPolicy, 1);
    }
  }

  private List<Target> hold(long nowMillis) {
    node.silent = true;
    String reason =
        "no metrics for " + seconds(silentForMillis(nowMillis)) + ": the capacity stays as it is";
    observer.silenceBegan(node.last.node(), reason);
    List<Target> decisions = new ArrayList<>(node.tiers.size());
    Held allTiers = node.held(node.last, nowMillis);
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        var input = tier.input(node, node.last, allTiers, Double.NaN, nowMillis);
        var decision = tier.held(input, Limit.Stale);
        decisions.add(target(tier, decision, reason, input.sampledMillis(), nowMillis));
      }
    }
    return decisions;
  }

  private static Target target(
      TierLoopState tier,
      CapacityDecision decision,
      String reason,
      long sampledMillis,
      long nowMillis) {
    return Target.of(
        tier.policy.key(), decision, reason, sampledMillis, tier.ack.appliedMillis(), nowMillis);
  }

  /** A restarted host learns of each silent node by the messages that still come. */
  private void reportSilence() {
    if (node.silent) {
      observer.stillSilent(node.last.node(), node.hasPolicy());
    }
  }

  /** How long nothing was accepted; what the host did not hear before its start does not count. */
  private long silentForMillis(long nowMillis) {
    return Math.min(Math.abs(nowMillis - node.acceptedMillis), Math.abs(nowMillis - startedMillis));
  }

  /** When the node is silent if nothing more is accepted; never before now. */
  private long silentAtMillis(long nowMillis) {
    return nowMillis + Math.max(0, node.staleAfterMillis() - silentForMillis(nowMillis));
  }

  /** A decision without a report may be due before a node is silent. */
  private void setTimer(long nowMillis) {
    long dueMillis = node.isMoving() ? implied.dueMillis(nowMillis) : 0;
    if (dueMillis != 0 && (node.timerMillis == 0 || dueMillis < node.timerMillis)) {
      node.timerMillis = dueMillis;
    }
  }

  /** A timer that was set before the clock was set back would be out of reach. */
  private void boundTimer(long nowMillis) {
    node.timerMillis = Math.min(node.timerMillis, nowMillis + node.staleAfterMillis());
  }

  private static String seconds(long millis) {
    return (millis + 50) / 1000 + "." + (millis + 50) / 100 % 10 + " s";
  }
}
