package io.dynims.controller.fleet;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.policy.NodePolicySpec;
import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicySet;
import io.dynims.tier.TierReply;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Every tier that a policy document names. */
public final class Fleet {

  private static final Comparator<Tier> BY_NAME =
      Comparator.<Tier, String>comparing(tier -> tier.key().node())
          .thenComparing(tier -> tier.key().tier());

  private final Map<TierKey, Tier> tiers = new HashMap<>();
  private final List<Consumer<Tier>> onChange = new ArrayList<>();
  private final List<Consumer<Tier>> onRemove = new ArrayList<>();
  private final List<Runnable> onPolicies = new ArrayList<>();
  private final ChangeLog log = new ChangeLog();
  private final HistoryBound bound;
  private final Clock clock;
  private List<PolicyError> errors = List.of();

  /** For how long decisions are known at most, unless all of this time are kept. */
  public static final long HISTORY_MILLIS = Downsampler.SPAN_MILLIS;

  /**
   * How many decisions are kept in full; those of the last hour are kept besides, thinned.
   *
   * @param perTier the most for one tier
   * @param inAll the most for the fleet; a large fleet keeps fewer for each tier
   */
  public record HistoryBound(int perTier, int inAll) {}

  /** An empty fleet. */
  public Fleet(HistoryBound bound, Clock clock) {
    this.bound = bound;
    this.clock = clock;
  }

  /** Calls back when a tier came or something about it changed. */
  public void onChange(Consumer<Tier> callback) {
    onChange.add(callback);
  }

  /** Calls back when a tier was withdrawn. */
  public void onRemove(Consumer<Tier> callback) {
    onRemove.add(callback);
  }

  /** Calls back when {@link #policies} is another than before. */
  public void onPolicies(Runnable callback) {
    onPolicies.add(callback);
  }

  /** Follows what the documents say now. */
  public void follow(PolicySet set) {
    errors = set.errors();
    Set<TierKey> named = new HashSet<>();
    for (NodePolicySpec document : set.tiers()) {
      named.add(document.key());
      Tier tier = tiers.get(document.key());
      if (tier == null) {
        tier = new Tier(document);
        tiers.put(document.key(), tier);
        log.policy(tier, null, false);
        changed(tier);
      } else if (!tier.document().equals(document)) {
        Policy before = tier.policy();
        boolean pausedBefore = tier.document().paused();
        tier.follow(document);
        log.policy(tier, before, pausedBefore);
        changed(tier);
      }
    }
    List<TierKey> withdrawn = tiers.keySet().stream().filter(k -> !named.contains(k)).toList();
    for (TierKey key : withdrawn) {
      Tier tier = tiers.remove(key);
      log.withdrawn(tier);
      onRemove.forEach(callback -> callback.accept(tier));
    }
    onPolicies.forEach(Runnable::run);
  }

  /** Notes a decision; false if no document names its tier. */
  public boolean decided(Target target) {
    Tier tier = tiers.get(target.key());
    if (tier == null) {
      return false;
    }
    tier.decisions().decided(target, keep());
    log.decided(tier, target);
    changed(tier);
    return true;
  }

  /**
   * Notes decisions from before this program started, the older before the newer. They are history:
   * what a tier does now is told by what is decided now.
   */
  public void remember(List<Target> targets) {
    targets.forEach(target -> decisions(target).ifPresent(known -> known.remember(target, keep())));
  }

  /** Notes decisions that {@link #closed} gave to an earlier run of this program. */
  public void restore(List<Target> targets) {
    targets.forEach(target -> decisions(target).ifPresent(known -> known.restore(target)));
  }

  private Optional<DecisionLog> decisions(Target target) {
    return Optional.ofNullable(tiers.get(target.key())).map(Tier::decisions);
  }

  /**
   * What is to be kept for an hour of the half minutes that ended before a time; each once. For
   * each tier the older come before the newer.
   */
  public List<Target> closed(long untilMillis) {
    return tiers.values().stream()
        .flatMap(tier -> tier.decisions().closed(untilMillis).stream())
        .toList();
  }

  /**
   * The newest decisions for a tier, newest first; older ones are fewer, those of an hour at most.
   */
  public List<Target> newest(Tier tier, int limit) {
    return tier.decisions().newest(limit, clock.millis());
  }

  /** All that is known of the decisions for a tier in this time until now, newest first. */
  public List<Target> ofLast(Tier tier, long spanMillis) {
    long nowMillis = clock.millis();
    return tier.decisions().since(nowMillis - spanMillis, nowMillis);
  }

  private int keep() {
    return Math.max(1, Math.min(bound.perTier(), bound.inAll() / tiers.size()));
  }

  /** Notes what an adapter answered to a push, or to a question. */
  public void answered(Tier tier, TierReply reply, boolean push) {
    tier.answered(reply, push);
    changed(tier);
  }

  /** The tier of that name, or null. */
  public Tier tier(TierKey key) {
    return tiers.get(key);
  }

  /** Whether no document names a tier. */
  public boolean isEmpty() {
    return tiers.isEmpty();
  }

  /** All tiers by node and name. */
  public List<Tier> tiers() {
    return tiers.values().stream().sorted(BY_NAME).toList();
  }

  /** The tiers of a node; none if no document names it. */
  public List<Tier> tiers(String node) {
    return tiers.values().stream()
        .filter(tier -> tier.key().node().equals(node))
        .sorted(BY_NAME)
        .toList();
  }

  /** The tier as shown. */
  public TierView view(Tier tier) {
    return TierViews.of(tier, clock.millis());
  }

  /** The policies of all tiers. */
  public List<Policy> policies() {
    return tiers().stream().map(Tier::policy).toList();
  }

  /** What was refused of the documents. */
  public List<PolicyError> errors() {
    return errors;
  }

  /** What is in force and still not right, such as a maximum beyond what the store can have. */
  public List<PolicyWarning> warnings() {
    List<PolicyWarning> warnings = new ArrayList<>();
    for (Tier tier : tiers()) {
      boundsProblem(tier)
          .map(reason -> new PolicyWarning(tier.key().node(), tier.key().tier(), reason))
          .ifPresent(warnings::add);
    }
    return warnings;
  }

  private static Optional<String> boundsProblem(Tier tier) {
    Long totalBytes = tier.memoryTotalBytes();
    if (totalBytes == null || tier.inForce() == null) {
      return Optional.empty();
    }
    Policy policy = tier.policy();
    long maxBytes = policy.maxBytesOf(totalBytes);
    if (policy.isMinAboveMax(totalBytes)) {
      return Optional.of(
          "spec.capacity.min is above spec.capacity.max, "
              + maxBytes
              + " bytes, where the node may use "
              + totalBytes
              + " bytes; the maximum holds");
    }
    if (maxBytes > tier.inForce().maxBytes()) {
      return Optional.of(
          "spec.capacity.max is "
              + maxBytes
              + " bytes, and the tier cannot have more than "
              + tier.inForce().maxBytes());
    }
    return Optional.empty();
  }

  /** Tells of the tiers whose state became another by the passing of time alone. */
  public void refresh() {
    long nowMillis = clock.millis();
    for (Tier tier : tiers.values()) {
      if (Assessment.of(tier, nowMillis).state() != tier.shownState()) {
        changed(tier);
      }
    }
  }

  private void changed(Tier tier) {
    Assessment verdict = Assessment.of(tier, clock.millis());
    if (verdict.state() != tier.shownState()) {
      log.state(tier, verdict);
      tier.show(verdict.state());
    }
    onChange.forEach(callback -> callback.accept(tier));
  }
}
