package io.dynims.operator;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What to say about one MemoryTier.
 *
 * @param claim the MemoryTier and its nodes
 * @param tiers those of its nodes' tiers that the fleet knows
 * @param mode the mode in force; null if none of the document ever was
 * @param paused whether the annotation pauses it
 * @param errors why its spec is refused; empty if it is not
 */
record StatusReport(
    Claim claim, List<TierView> tiers, Mode mode, boolean paused, List<String> errors) {

  private static final Set<TierState> DONE =
      EnumSet.of(TierState.Enforcing, TierState.Partial, TierState.Recommending, TierState.Off);
  private static final Set<TierState> PUSHED = EnumSet.of(TierState.Enforcing, TierState.Partial);
  private static final int NAMES = 5;
  private static final int MESSAGE_CHARACTERS = 1_000;

  /** A condition but for its times. */
  private record Finding(String type, String status, String reason, String message) {}

  /** The status; a condition that stands as before keeps its time. */
  MemoryTierStatus status(MemoryTierStatus before, Instant now) {
    long generation = claim.document().generation();
    List<Condition> old =
        before == null || before.conditions() == null ? List.of() : before.conditions();
    return new MemoryTierStatus(
        generation,
        modeText(),
        new MemoryTierStatus.Nodes(
            claim.nodes().size(), count(DONE::contains), count(TierState.Stale::equals)),
        capacity(),
        List.of(
            condition(ready(), generation, old, now),
            condition(metricsFresh(), generation, old, now),
            condition(enforcing(), generation, old, now)));
  }

  /** The mode as people see it; empty as long as no document was ever in force. */
  String modeText() {
    if (mode == null) {
      return "";
    }
    return paused && mode != Mode.Off ? "Paused" : mode.name();
  }

  /** The names of the nodes that do what the mode says. */
  Set<String> readyNodes() {
    return tiers.stream()
        .filter(tier -> DONE.contains(tier.state()))
        .map(TierView::node)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether nodes that do not do what the mode says may do so in a moment. */
  boolean isComingUp() {
    return errors.isEmpty()
        && claim.conflicts().isEmpty()
        && count(DONE::contains) < claim.nodes().size();
  }

  private MemoryTierStatus.Capacity capacity() {
    long capacityBytes = sum(TierView::capacityBytes);
    long usedBytes = sum(TierView::usedBytes);
    return new MemoryTierStatus.Capacity(
        sum(TierView::desiredBytes),
        capacityBytes,
        usedBytes,
        people(capacityBytes),
        people(usedBytes));
  }

  private Finding ready() {
    if (!errors.isEmpty()) {
      String kept = mode == null ? "" : "; the last good spec stays in force";
      return new Finding("Ready", "False", "SpecRefused", String.join("; ", errors) + kept);
    }
    if (!claim.conflicts().isEmpty()) {
      return new Finding("Ready", "False", "Conflict", conflicts());
    }
    int total = claim.nodes().size();
    if (total == 0) {
      return new Finding(
          "Ready", "False", "NoNodes", "no node has the labels of spec.nodes.selector");
    }
    int done = count(DONE::contains);
    return done == total
        ? new Finding("Ready", "True", "AllNodes", done + " of " + total + " nodes")
        : new Finding(
            "Ready",
            "False",
            "NodesNotReady",
            done + " of " + total + " nodes; " + list(state -> !DONE.contains(state)));
  }

  private Finding metricsFresh() {
    if (claim.nodes().isEmpty()) {
      return new Finding("MetricsFresh", "Unknown", "NoNodes", "there is no node to measure");
    }
    if (mode == Mode.Off) {
      return new Finding("MetricsFresh", "Unknown", "Off", "nothing is decided in mode Off");
    }
    if (count(TierState.Stale::equals) > 0) {
      return new Finding("MetricsFresh", "False", "Stale", list(TierState.Stale::equals));
    }
    long seen = tiers.stream().filter(tier -> tier.sampledMillis() != null).count();
    long unseen = claim.nodes().size() - seen;
    return unseen > 0
        ? new Finding("MetricsFresh", "Unknown", "NoMetrics", unseen + " nodes sent none yet")
        : new Finding("MetricsFresh", "True", "AllNodes", "every node's metrics are fresh");
  }

  private Finding enforcing() {
    int total = claim.nodes().size();
    if (mode == null) {
      return new Finding("Enforcing", "False", "SpecRefused", "no spec was ever in force");
    }
    if (total == 0) {
      return new Finding("Enforcing", "False", "NoNodes", "there is no tier to resize");
    }
    if (mode != Mode.Enforce || paused) {
      String reason = modeText();
      return new Finding("Enforcing", "False", reason, "the tiers are left as they are");
    }
    int pushed = count(PUSHED::contains);
    if (pushed < total) {
      return new Finding(
          "Enforcing",
          "False",
          "NotAllNodes",
          pushed + " of " + total + " nodes; " + list(state -> !PUSHED.contains(state)));
    }
    int partial = count(TierState.Partial::equals);
    return partial == 0
        ? new Finding("Enforcing", "True", "AllNodes", "every tier has what was decided")
        : new Finding("Enforcing", "True", "Partial", list(TierState.Partial::equals));
  }

  private String conflicts() {
    String nodes =
        claim.conflicts().entrySet().stream()
            .limit(NAMES)
            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
            .collect(Collectors.joining(", "));
    return claim.conflicts().size()
        + " selected nodes belong to an older MemoryTier: "
        + nodes
        + more(claim.conflicts());
  }

  /** Names the nodes in such a state; ages are left out, they would change all the time. */
  private String list(Predicate<TierState> which) {
    List<TierView> found = tiers.stream().filter(tier -> which.test(tier.state())).toList();
    String names =
        found.stream().limit(NAMES).map(StatusReport::describe).collect(Collectors.joining("; "));
    return names + more(found);
  }

  private static String describe(TierView tier) {
    boolean steady = tier.state() == TierState.Pending || tier.state() == TierState.Unreachable;
    String why = steady && tier.stateReason() != null ? ": " + tier.stateReason() : "";
    return tier.node() + " is " + tier.state() + why;
  }

  private static String more(Map<?, ?> all) {
    return more(all.keySet());
  }

  private static String more(Collection<?> all) {
    return all.size() > NAMES ? " and " + (all.size() - NAMES) + " more" : "";
  }

  private int count(Predicate<TierState> which) {
    return (int) tiers.stream().filter(tier -> which.test(tier.state())).count();
  }

  private long sum(java.util.function.Function<TierView, Long> part) {
    return tiers.stream().map(part).filter(bytes -> bytes != null).mapToLong(Long::longValue).sum();
  }

  private static Condition condition(
      Finding finding, long generation, List<Condition> old, Instant now) {
    String since =
        old.stream()
            .filter(
                c -> finding.type().equals(c.getType()) && finding.status().equals(c.getStatus()))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    String message = finding.message();
    return new ConditionBuilder()
        .withType(finding.type())
        .withStatus(finding.status())
        .withReason(finding.reason())
        .withMessage(message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS)))
        .withObservedGeneration(generation)
        .withLastTransitionTime(since)
        .build();
  }

  /** Such as 54.0Gi. */
  static String people(long bytes) {
    String[] units = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    double scaled = bytes;
    int unit = 0;
    while (scaled >= 1024 && unit < units.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return unit == 0
        ? Long.toString(bytes)
        : String.format(Locale.ROOT, "%.1f%s", scaled, units[unit]);
  }
}
