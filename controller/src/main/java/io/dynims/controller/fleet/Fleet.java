package io.dynims.controller.fleet;

import io.dynims.core.wire.Decider;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.policy.NodePolicySpec;
import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicySet;
import io.dynims.policy.Vacancy;
import io.dynims.tier.TierReply;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** All tiers that a policy document names. */
public final class Fleet {

  private final Map<TierKey, Tier> tiers = new HashMap<>();
  private final List<Consumer<Tier>> onChange = new ArrayList<>();
  private final List<Consumer<Tier>> onRemove = new ArrayList<>();
  private final List<Runnable> onPolicies = new ArrayList<>();
  private final ChangeLog log;
  private final FleetMemoryTime memoryTime = new FleetMemoryTime();
  private final HistoryBound bound;
  private final Clock clock;
  private List<PolicyError> errors = List.of();
  private Set<TierKey> withheld = Set.of();

  /** How far back decisions are downsampled. */
  public static final long HISTORY_MILLIS = Downsampler.SPAN_MILLIS;

  /** An empty fleet. */
  public Fleet(HistoryBound bound, Clock clock) {
    this.bound = bound;
    this.clock = clock;
    this.log = new ChangeLog(clock);
  }

  /** Calls back when a tier was added or changed. */
  public void onChange(Consumer<Tier> callback) {
    onChange.add(callback);
  }

  /** Calls back when a tier was removed because no document names it any more. */
  public void onRemove(Consumer<Tier> callback) {
    onRemove.add(callback);
  }

  /** Calls back when {@link #policies} may have changed. */
  public void onPolicies(Runnable callback) {
    onPolicies.add(callback);
  }

  /** Applies the current policies. */
  public void applyPolicies(PolicySet set) {
    applyPolicies(set, Vacancy.NONE);
  }

  /**
   * Applies the current policies.
   *
   * @param pending where nothing is withdrawn yet although documents name no node
   */
  public void applyPolicies(PolicySet set, Vacancy pending) {
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
      } else {
        boolean isChanged = !tier.document().equals(document);
        Policy before = tier.policy();
        boolean pausedBefore = tier.document().paused();
        // Also an equal one: an earlier version of the document must not be kept.
        tier.applyPolicy(document);
        if (isChanged) {
          log.policy(tier, before, pausedBefore);
          changed(tier);
        }
      }
    }
    Set<TierKey> missing = new HashSet<>(tiers.keySet());
    missing.removeAll(named);
    withheld = missing.stream().filter(pending::covers).collect(Collectors.toUnmodifiableSet());
    missing.removeAll(withheld);
    for (TierKey key : missing) {
      Tier tier = tiers.remove(key);
      log.withdrawn(tier);
      memoryTime.remove(tier);
      onRemove.forEach(callback -> callback.accept(tier));
    }
    onPolicies.forEach(Runnable::run);
  }

  /** The tiers that are not withdrawn yet although no document names them. */
  public Set<TierKey> withheld() {
    return withheld;
  }

  /** Records a decision; false if no document names its tier. */
  public boolean recordDecision(Target target) {
    Tier tier = tiers.get(target.key());
    if (tier == null) {
      return false;
    }
    tier.decisions().record(target, keep());
    memoryTime.add(tier, target);
    log.decision(target);
    changed(tier);
    return true;
  }

  /**
   * Records decisions of the guard on a tier's node, oldest first, which may be older than others.
   * Those under a policy of another name, as before the tier was renamed, are passed over. Returns
   * those that are new.
   */
  public List<Target> recordGuardDecisions(Tier tier, List<Target> targets) {
    List<Target> added =
        targets.stream()
            .filter(each -> each.key().equals(tier.key()))
            .filter(each -> tier.decisions().recordLate(each, keep()))
            .toList();
    if (!targets.isEmpty()) {
      tier.guardDecided(targets.get(targets.size() - 1).decidedMillis());
      changed(tier);
    }
    return added;
  }

  /**
   * Records decisions from before this program started, oldest first. They only extend the history;
   * a tier's state depends on new decisions alone.
   */
  public void recordEarlier(List<Target> targets) {
    for (Target target : targets) {
      tierOf(target)
          .ifPresent(
              tier -> {
                tier.decisions().recordEarlier(target, keep());
                memoryTime.addEarlier(tier, target);
              });
    }
  }

  /** Restores decisions that an earlier run of this program got from {@link #drainHistory}. */
  public void restoreHistory(List<Target> targets) {
    for (Target target : targets) {
      tierOf(target).ifPresent(tier -> restore(tier, target));
    }
  }

  private static void restore(Tier tier, Target target) {
    tier.decisions().restore(target);
    if (target.decidedBy() == Decider.Guard) {
      tier.guardDecided(Math.max(tier.guardDecidedMillis(), target.decidedMillis()));
    }
  }

  private Optional<Tier> tierOf(Target target) {
    return Optional.ofNullable(tiers.get(target.key()));
  }

  /**
   * The downsampled decisions of the half minutes that ended before a time of each tier, oldest
   * first for each tier. Each is returned once.
   */
  public List<Target> drainHistory(ToLongFunction<TierKey> untilMillis) {
    return tiers.values().stream()
        .flatMap(tier -> tier.decisions().drain(untilMillis.applyAsLong(tier.key())).stream())
        .toList();
  }

  /** Up to this many decisions for a tier, newest first; older ones are downsampled. */
  public List<Target> newestDecisions(Tier tier, int limit) {
    return tier.decisions().newest(limit, clock.millis());
  }

  /** All known decisions for a tier within this time until now, newest first. */
  public List<Target> decisionsOfLast(Tier tier, long spanMillis) {
    long nowMillis = clock.millis();
    return tier.decisions().since(nowMillis - spanMillis, nowMillis);
  }

  private int keep() {
    return bound.ofEach(tiers.size());
  }

  /** Records the reply of an adapter to a push or a poll. */
  public void recordReply(Tier tier, TierReply reply, boolean push) {
    tier.recordReply(reply, push);
    changed(tier);
  }

  /** The tier with this key, or null. */
  public Tier tier(TierKey key) {
    return tiers.get(key);
  }

  /** Whether there are no tiers. */
  public boolean isEmpty() {
    return tiers.isEmpty();
  }

  /** All tiers, sorted by node and name. */
  public List<Tier> tiers() {
    return tiers.values().stream().sorted(Tier.BY_NAME).toList();
  }

  /** The tiers of a node, sorted by name; empty if no document names the node. */
  public List<Tier> tiers(String node) {
    return tiers.values().stream()
        .filter(tier -> tier.key().node().equals(node))
        .sorted(Tier.BY_NAME)
        .toList();
  }

  /** The addresses of the adapters of a node's tiers, as far as they are known. */
  public List<URI> adapters(String node) {
    return tiers(node).stream()
        .map(tier -> tier.document().adapter())
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** The view of a tier for REST, the page and Kubernetes. */
  public TierView view(Tier tier) {
    return TierViews.of(tier, clock.millis());
  }

  /** The views of all tiers, sorted by node and name. */
  public List<TierView> views() {
    return tiers().stream().map(this::view).toList();
  }

  FleetMemoryTime memoryTime() {
    return memoryTime;
  }

  long nowMillis() {
    return clock.millis();
  }

  /** The policies of all tiers. */
  public List<Policy> policies() {
    return tiers().stream().map(Tier::policy).toList();
  }

  /** Why documents were rejected. */
  public List<PolicyError> errors() {
    return errors;
  }

  /** Problems with policies in effect, such as a maximum beyond the store's own. */
  public List<PolicyWarning> warnings() {
    return tiers().stream().flatMap(tier -> PolicyWarnings.of(tier, withheld).stream()).toList();
  }

  /** Reports tiers whose state has changed through the passing of time alone. */
  public void refresh() {
    long nowMillis = clock.millis();
    for (Tier tier : tiers.values()) {
      if (Assessment.of(tier, nowMillis).state() != tier.shownState()) {
        changed(tier);
      }
    }
    log.reportSuppressed();
  }

  private void changed(Tier tier) {
    Assessment assessment = Assessment.of(tier, clock.millis());
    if (assessment.state() != tier.shownState()) {
      log.state(tier, assessment);
      tier.show(assessment.state());
    }
    log.problem(tier, PolicyWarnings.problem(tier));
    onChange.forEach(callback -> callback.accept(tier));
  }
}
