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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A report on one MemoryTier, from which its status and conditions are derived.
 *
 * @param claim the MemoryTier and its nodes
 * @param tiers the tiers of its nodes, as far as the fleet knows them
 * @param mode the mode in effect; null if no version of the document ever took effect
 * @param paused whether the annotation pauses it on all nodes
 * @param overruled whether the law or the memory of an older MemoryTier applies on some node
 * @param errors why its spec was rejected; empty if it was accepted
 */
record StatusReport(
    Claim claim,
    List<TierView> tiers,
    Mode mode,
    boolean paused,
    boolean overruled,
    List<String> errors) {

  private static final Set<TierState> READY =
      EnumSet.of(TierState.Enforcing, TierState.Partial, TierState.Recommending, TierState.Off);
  private static final Set<TierState> ENFORCED = EnumSet.of(TierState.Enforcing, TierState.Partial);

  /** The type of the condition that is True while something is wrong, unlike the others. */
  static final String GUARDED = "Guarded";

  private static final int MAX_NAMES = 5;
  private static final int MESSAGE_CHARACTERS = 1_000;

  /** A condition without its timestamps. */
  private record Finding(String type, String status, String reason, String message) {}

  /** The status; a condition whose status has not changed keeps its transition time. */
  MemoryTierStatus status(MemoryTierStatus before, Instant now) {
    long generation = claim.document().generation();
    List<Condition> old =
        before == null || before.conditions() == null ? List.of() : before.conditions();
    return new MemoryTierStatus(
        generation,
        modeText(),
        new MemoryTierStatus.Nodes(
            claim.nodes().size(), count(READY::contains), count(TierState.Stale::equals)),
        capacity(),
        List.of(
            condition(ready(), generation, old, now),
            condition(metricsFresh(), generation, old, now),
            condition(enforcing(), generation, old, now),
            condition(guarded(), generation, old, now)));
  }

  /** The mode as shown to users; empty if no version of the document ever took effect. */
  String modeText() {
    if (mode == null) {
      return "";
    }
    return paused && mode != Mode.Off ? "Paused" : mode.name();
  }

  /** The names of the nodes whose tier behaves as the mode requires. */
  Set<String> readyNodes() {
    return tiers.stream()
        .filter(tier -> READY.contains(tier.state()))
        .map(TierView::node)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names of the nodes whose guard decides. */
  Set<String> guardedNodes() {
    return tiers.stream()
        .filter(tier -> tier.state() == TierState.Guarded)
        .map(TierView::node)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether nodes that are not ready may become ready soon. */
  boolean isConverging() {
    return errors.isEmpty()
        && claim.conflicts().isEmpty()
        && count(READY::contains) < claim.nodes().size();
  }

  private MemoryTierStatus.Capacity capacity() {
    return MemoryTierStatus.Capacity.of(
        sum(TierView::desiredBytes), sum(TierView::capacityBytes), sum(TierView::usedBytes));
  }

  private Finding ready() {
    if (!errors.isEmpty()) {
      String kept = mode == null || overruled ? "" : "; the last valid spec stays in effect";
      return new Finding("Ready", "False", "SpecRefused", String.join("; ", errors) + kept);
    }
    if (!claim.conflicts().isEmpty()) {
      return new Finding("Ready", "False", "Conflict", conflicts());
    }
    int total = claim.nodes().size();
    if (total == 0) {
      String why = "no node with an agent matches spec.nodes.selector" + unreached();
      return new Finding("Ready", "False", "NoNodes", why);
    }
    int done = count(READY::contains);
    return done == total
        ? new Finding("Ready", "True", "AllNodes", done + " of " + total + " nodes" + unreached())
        : new Finding(
            "Ready",
            "False",
            "NodesNotReady",
            done + " of " + total + " nodes; " + list(state -> !READY.contains(state)));
  }

  private Finding metricsFresh() {
    if (claim.nodes().isEmpty()) {
      return new Finding("MetricsFresh", "Unknown", "NoNodes", "there are no nodes to measure");
    }
    if (mode == Mode.Off) {
      return new Finding("MetricsFresh", "Unknown", "Off", "mode Off makes no decisions");
    }
    if (count(TierState.Stale::equals) > 0) {
      return new Finding("MetricsFresh", "False", "Stale", list(TierState.Stale::equals));
    }
    long seen = tiers.stream().filter(tier -> tier.sampledMillis() != null).count();
    long unseen = claim.nodes().size() - seen;
    return unseen > 0
        ? new Finding(
            "MetricsFresh", "Unknown", "NoMetrics", unseen + " nodes have not sent metrics yet")
        : new Finding("MetricsFresh", "True", "AllNodes", "every node's metrics are fresh");
  }

  private Finding enforcing() {
    int total = claim.nodes().size();
    if (mode == null) {
      return new Finding("Enforcing", "False", "SpecRefused", "no spec has taken effect yet");
    }
    if (total == 0) {
      return new Finding("Enforcing", "False", "NoNodes", "there are no tiers to resize");
    }
    if (mode != Mode.Enforce || paused) {
      String reason = modeText();
      return new Finding("Enforcing", "False", reason, "tiers are not resized");
    }
    int pushed = count(ENFORCED::contains);
    if (pushed < total) {
      return new Finding(
          "Enforcing",
          "False",
          "NotAllNodes",
          pushed + " of " + total + " nodes; " + list(state -> !ENFORCED.contains(state)));
    }
    int partial = count(TierState.Partial::equals);
    return partial == 0
        ? new Finding(
            "Enforcing", "True", "AllNodes", "every tier has its decided capacity" + warnings())
        : new Finding("Enforcing", "True", "Partial", list(TierState.Partial::equals));
  }

  private Finding guarded() {
    Set<String> nodes = guardedNodes();
    return nodes.isEmpty()
        ? new Finding(GUARDED, "False", "Controlled", "no node is left to its guard")
        : new Finding(
            GUARDED,
            "True",
            "GuardDecides",
            "no controller had the tier, or utilization was critical: " + names(nodes));
  }

  private String unreached() {
    List<String> nodes = claim.unreached();
    return nodes.isEmpty() ? "" : "; no agent reaches " + names(nodes);
  }

  private static String names(Collection<String> nodes) {
    return nodes.stream().limit(MAX_NAMES).collect(Collectors.joining(", ")) + more(nodes);
  }

  private String conflicts() {
    String nodes =
        claim.conflicts().entrySet().stream()
            .limit(MAX_NAMES)
            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
            .collect(Collectors.joining(", "));
    return claim.conflicts().size()
        + " selected nodes belong to an older MemoryTier: "
        + nodes
        + more(claim.conflicts().keySet());
  }

  /** Lists the nodes in such a state, without ages, which would change the text all the time. */
  private String list(Predicate<TierState> which) {
    List<TierView> found = tiers.stream().filter(tier -> which.test(tier.state())).toList();
    String names =
        found.stream()
            .limit(MAX_NAMES)
            .map(StatusReport::describe)
            .collect(Collectors.joining("; "));
    return names + more(found);
  }

  /** What is wrong with the policy on nodes that are resized nevertheless. */
  private String warnings() {
    List<String> all =
        tiers.stream()
            .filter(tier -> tier.state() == TierState.Enforcing && tier.stateReason() != null)
            .map(tier -> tier.node() + ": " + tier.stateReason())
            .toList();
    return all.isEmpty() ? "" : "; " + names(all);
  }

  private static String describe(TierView tier) {
    boolean steady = tier.state() == TierState.Pending || tier.state() == TierState.Unreachable;
    String why = steady && tier.stateReason() != null ? ": " + tier.stateReason() : "";
    boolean paused = tier.paused() && tier.state() == TierState.Recommending;
    return tier.node() + " is " + (paused ? "paused" : tier.state()) + why;
  }

  private static String more(Collection<?> all) {
    return all.size() > MAX_NAMES ? " and " + (all.size() - MAX_NAMES) + " more" : "";
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
}
