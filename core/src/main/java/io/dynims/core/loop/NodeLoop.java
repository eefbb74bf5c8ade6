package io.dynims.core.loop;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.share.SharingTier;
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
  private final HintLedger hints;
  private final double otherWeight;

  /**
   * The loop of a node and of all its tiers.
   *
   * @param node what is known of the node; changed in place
   * @param startedMillis when the host started: silence does not count the time before it
   */
  public NodeLoop(NodeLoopState node, long startedMillis, LoopObserver observer) {
    this(node, startedMillis, observer, 0);
  }

  /**
   * The loop of a node that has further tiers, which somebody else decides.
   *
   * @param node what is known of the node; changed in place
   * @param startedMillis when the host started: silence does not count the time before it
   * @param otherWeight the weights of the further tiers, at least 0; their shares are left to them
   */
  public NodeLoop(
      NodeLoopState node, long startedMillis, LoopObserver observer, double otherWeight) {
    this.node = node;
    this.startedMillis = startedMillis;
    this.observer = observer;
    this.otherWeight = otherWeight;
    this.samples = new SampleFilter(node);
    this.hints = new HintLedger(node);
  }

  /** Decides on a reading, unless it must be refused, lacks parts, or it is no tier's turn. */
  public List<Target> onSample(MemoryReading reading, long nowMillis) {
    boundTimer(nowMillis);
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
    if (node.timerMillis != 0) {
      node.timerMillis = Math.min(node.timerMillis, silentAtMillis(nowMillis));
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
    boundTimer(nowMillis);
    dropUnnamedTiers(nowMillis);
    if (node.tiers.containsKey(ack.tier()) || node.tiers.size() < MAX_TIERS) {
      node.tiers.computeIfAbsent(ack.tier(), name -> new TierLoopState()).accept(ack, nowMillis);
    }
    if (node.timerMillis == 0 && !node.hasPolicy()) {
      node.timerMillis = nowMillis + node.staleAfterMillis();
    }
    reportSilence();
  }

  /**
   * Holds every tier if no reading came for so long that they are stale. A timer that is late or
   * early by as much tells nothing of the node: a clock was set, or the host stood still.
   */
  public List<Target> onTimer(long nowMillis) {
    long staleAfterMillis = node.staleAfterMillis();
    boolean onTime = Math.abs(nowMillis - node.timerMillis) <= staleAfterMillis;
    long dueMillis = onTime ? silentAtMillis(nowMillis) : nowMillis + staleAfterMillis;
    node.timerMillis = dueMillis > nowMillis ? dueMillis : 0;
    boolean holds = node.timerMillis == 0 && node.last != null && node.hasPolicy();
    return holds ? hold(nowMillis) : List.of();
  }

  /** Whether the host may drop the state: the node is silent and no policy names it. */
  public boolean isForgettable() {
    return node.timerMillis == 0 && !node.hasPolicy();
  }

  private List<Target> decide(MemoryReading reading, long nowMillis) {
    boolean back = node.silent;
    String prefix = back ? "metrics are back after " + seconds(silentForMillis(nowMillis)) : "";
    double pressure = reading.pressureSince(node.last);
    accept(reading, nowMillis);
    if (back) {
      node.silent = false;
      observer.silenceEnded(reading.node(), prefix);
    }
    hints.observe(reading);
    List<SharingTier> resized = resized(reading, pressure, nowMillis);
    List<Target> decisions = new ArrayList<>(node.tiers.size());
    for (TierLoopState tier : node.tiers.values()) {
      if (!tier.isDecided()) {
        continue;
      }
      if (tier.ack == null) {
        observer.awaitsAck();
      } else if (tier.takeTurn(reading.sampledMillis()) || back) {
        var input = input(tier, reading, pressure, nowMillis);
        boolean confirmed = tier.isConfirmed(nowMillis);
        var decision =
            confirmed ? tier.decide(input, resized, otherWeight) : tier.unconfirmed(input);
        String reason = back ? prefix + ": " + decision.reason() : decision.reason();
        decisions.add(target(tier, decision, reason, nowMillis));
      }
    }
    return decisions;
  }

  /** The tiers that share a step, before any of them is decided; one alone shares nothing. */
  private List<SharingTier> resized(MemoryReading reading, double pressure, long nowMillis) {
    if (node.tiers.size() == 1) {
      return List.of();
    }
    return node.tiers.values().stream()
        .filter(tier -> tier.policy != null && tier.isResized(nowMillis))
        .map(tier -> tier.sharing(input(tier, reading, pressure, nowMillis)))
        .toList();
  }

  private LawInput input(
      TierLoopState tier, MemoryReading reading, double pressure, long nowMillis) {
    return tier.input(reading, node.tierUsedBytes(), node.hintedBytes, pressure, nowMillis);
  }

  private void accept(MemoryReading reading, long nowMillis) {
    observer.refused(Refusal.Incomplete, samples.dropOutdatedParts(reading));
    node.last = reading;
    node.acceptedMillis = nowMillis;
    dropUnnamedTiers(nowMillis);
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
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        var input = input(tier, node.last, Double.NaN, nowMillis);
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

  /** How long nothing was accepted; what the host did not hear before its start does not count. */
  private long silentForMillis(long nowMillis) {
    return Math.min(Math.abs(nowMillis - node.acceptedMillis), Math.abs(nowMillis - startedMillis));
  }

  /** When the node is silent if nothing more is accepted; never before now. */
  private long silentAtMillis(long nowMillis) {
    return nowMillis + Math.max(0, node.staleAfterMillis() - silentForMillis(nowMillis));
  }

  /** A timer that was set before the clock was set back would be out of reach. */
  private void boundTimer(long nowMillis) {
    node.timerMillis = Math.min(node.timerMillis, nowMillis + node.staleAfterMillis());
  }

  private void dropUnnamedTiers(long nowMillis) {
    long staleAfterMillis = node.staleAfterMillis();
    node.tiers
        .values()
        .removeIf(t -> t.policy == null && Math.abs(nowMillis - t.ackedMillis) > staleAfterMillis);
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
  }
}
