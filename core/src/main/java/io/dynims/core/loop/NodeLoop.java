package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The loop of one node: each fresh reading of its memory makes one decision for each tier whose
 * turn it is, and a node that goes silent makes one {@code Hold} for each tier.
 *
 * <p>It has no clock, thread or I/O; the host passes in the time, stores the {@linkplain
 * NodeLoopState state}, and calls {@link #onTimer} at {@link NodeLoopState#timerMillis}. "Now" is
 * the host's clock; a sample's time is the node's. For use by one thread at a time.
 */
public final class NodeLoop {

  private final NodeLoopState node;
  private final long startedMillis;
  private final LoopObserver observer;
  private final SampleFilter samples;

  /**
   * The loop of a node.
   *
   * @param node what is known of the node; changed in place
   * @param startedMillis when the host started: silence does not count the time before it
   */
  public NodeLoop(NodeLoopState node, long startedMillis, LoopObserver observer) {
    this.node = node;
    this.startedMillis = startedMillis;
    this.observer = observer;
    this.samples = new SampleFilter(node);
  }

  /** Decides on a reading, unless it must be refused, lacks parts, or it is no tier's turn. */
  public List<Target> onSample(MemoryReading reading, long nowMillis) {
    Refusal refusal = samples.refusal(reading, nowMillis);
    if (!reading.isStock()) {
      node.readerHeardMillis = nowMillis;
    }
    if (refusal != null) {
      observer.refused(refusal, 1);
      return List.of();
    }
    MemoryReading complete = samples.join(reading);
    observer.refused(Refusal.Incomplete, samples.dropOverdueParts());
    return complete == null ? List.of() : decide(complete, nowMillis);
  }

  /** Follows a policy from now on. */
  public void onPolicy(Policy policy, long nowMillis) {
    node.tiers.computeIfAbsent(policy.tier(), name -> new TierLoopState()).policy = policy;
    long due = heardMillis() + node.staleAfterMillis();
    if (due < node.timerMillis) {
      node.timerMillis = due;
    }
    reportSilence();
  }

  /** Forgets a tier whose policy is withdrawn. */
  public void onWithdrawal(String tier) {
    node.tiers.remove(tier);
    reportSilence();
  }

  /** Keeps what is in force. An ack may overtake its policy; it is dropped if none follows. */
  public void onAck(Ack ack, long nowMillis) {
    node.tiers.computeIfAbsent(ack.tier(), name -> new TierLoopState()).accept(ack, nowMillis);
    if (node.timerMillis == 0 && !node.hasPolicy()) {
      node.timerMillis = nowMillis + node.staleAfterMillis();
    }
    reportSilence();
  }

  /** Holds every tier if no reading came for so long that they are stale. */
  public List<Target> onTimer(long nowMillis) {
    long due = heardMillis() + node.staleAfterMillis();
    node.timerMillis = 0;
    if (nowMillis < due) {
      node.timerMillis = due;
      return List.of();
    }
    return node.last != null && node.hasPolicy() ? hold(nowMillis) : List.of();
  }

  /** Whether the host may drop the state: the node is silent and no policy names it. */
  public boolean isForgettable() {
    return node.timerMillis == 0 && !node.hasPolicy();
  }

  private List<Target> decide(MemoryReading reading, long nowMillis) {
    boolean back = node.silent;
    String prefix =
        back ? "metrics are back after " + seconds(nowMillis - node.acceptedMillis) : "";
    double pressure = reading.pressureSince(node.last);
    accept(reading, nowMillis);
    if (back) {
      node.silent = false;
      observer.silenceEnded(reading.node(), prefix);
    }
    List<Target> decisions = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      if (!tier.isDecided()) {
        continue;
      }
      if (tier.ack == null) {
        observer.awaitsAck();
      } else if (tier.takeTurn(reading.sampledMillis()) || back) {
        var decision = tier.decide(tier.input(reading, node.tierUsedBytes(), pressure, nowMillis));
        String reason = back ? prefix + ": " + decision.reason() : decision.reason();
        decisions.add(target(tier, decision, reason, nowMillis));
      }
    }
    return decisions;
  }

  private void accept(MemoryReading reading, long nowMillis) {
    observer.refused(Refusal.Incomplete, samples.dropOutdatedParts(reading));
    node.last = reading;
    node.acceptedMillis = nowMillis;
    long staleAfterMillis = node.staleAfterMillis();
    node.tiers
        .values()
        .removeIf(t -> t.policy == null && nowMillis - t.ackedMillis > staleAfterMillis);
    if (node.timerMillis == 0) {
      node.timerMillis = nowMillis + staleAfterMillis;
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
        "no metrics for " + seconds(nowMillis - heardMillis()) + ": the capacity stays as it is";
    observer.silenceBegan(node.last.node(), reason);
    List<Target> decisions = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        var input = tier.input(node.last, node.tierUsedBytes(), Double.NaN, nowMillis);
        var parameters = tier.policy.parameters(input.memoryTotalBytes());
        var decision = CapacityDecision.stale(input, parameters);
        decisions.add(target(tier, decision, reason, nowMillis));
      }
    }
    return decisions;
  }

  private static Target target(
      TierLoopState tier, CapacityDecision decision, String reason, long nowMillis) {
    return Target.of(tier.policy.key(), decision, reason, tier.acknowledgedMillis, nowMillis);
  }

  /** A restarted host learns of each silent node by the messages that still come. */
  private void reportSilence() {
    if (node.silent) {
      observer.stillSilent(node.last.node(), node.hasPolicy());
    }
  }

  private long heardMillis() {
    return Math.max(node.acceptedMillis, startedMillis);
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
  }
}
