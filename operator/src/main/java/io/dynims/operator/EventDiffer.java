package io.dynims.operator;

import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.policy.ClaimedNode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Turns the differences between two reports into events. For use by one thread, except for {@link
 * #released}.
 */
final class EventDiffer {

  private static final int MAX_NAMES = 5;

  /** The last report about a MemoryTier, and the nodes that have been lost since. */
  private record ReportSnapshot(
      String mode,
      String errors,
      Map<String, String> conflicts,
      Set<String> nodes,
      Set<String> ready,
      Set<String> lost,
      Set<String> guarded) {}

  private record Release(TierKey key, boolean succeeded) {}

  private final Events events;
  private final Map<String, ReportSnapshot> snapshots = new HashMap<>();
  private final Map<TierKey, TierDocument> owners = new HashMap<>();
  private final Queue<Release> releases = new ConcurrentLinkedQueue<>();

  EventDiffer(Events events) {
    this.events = events;
  }

  /** Reports what has changed since the last report about the same MemoryTier. */
  void report(StatusReport report) {
    TierDocument document = report.claim().document();
    ReportSnapshot before = snapshots.computeIfAbsent(document.uid(), uid -> first(report));
    ReportSnapshot now = snapshot(report, before);
    report
        .claim()
        .nodes()
        .forEach(n -> owners.put(new TierKey(n.name(), document.name()), document));
    snapshots.put(document.uid(), now);
    reportSpec(document, before, now);
    reportNodes(document, before, now);
    reportLost(document, before, now, report.tiers());
    reportGuards(document, before, now);
  }

  private static ReportSnapshot snapshot(StatusReport report, ReportSnapshot before) {
    Set<String> nodes = names(report.claim().nodes());
    Set<String> ready = report.readyNodes();
    Set<String> lost = new TreeSet<>(before.lost());
    report.tiers().stream()
        .filter(tier -> tier.state() == TierState.Stale || tier.state() == TierState.Unreachable)
        .map(TierView::node)
        .filter(before.ready()::contains)
        .forEach(lost::add);
    lost.retainAll(nodes);
    lost.removeAll(ready);
    return new ReportSnapshot(
        report.modeText(),
        String.join("; ", report.errors()),
        report.claim().conflicts(),
        nodes,
        ready,
        lost,
        report.guardedNodes());
  }

  /** Starts from the resource's status, because its writer has reported the same events. */
  private static ReportSnapshot first(StatusReport report) {
    var status = report.claim().document().status();
    if (status == null) {
      return new ReportSnapshot("", "", Map.of(), Set.of(), Set.of(), Set.of(), Set.of());
    }
    List<Condition> conditions = status.conditions() == null ? List.of() : status.conditions();
    Set<String> reasons = conditions.stream().map(Condition::getReason).collect(Collectors.toSet());
    return new ReportSnapshot(
        status.mode() == null ? "" : status.mode(),
        reasons.contains("SpecRefused") ? String.join("; ", report.errors()) : "",
        reasons.contains("Conflict") ? report.claim().conflicts() : Map.of(),
        names(report.claim().nodes()),
        Set.of(),
        Set.of(),
        isTrue(conditions, StatusReport.GUARDED) ? report.guardedNodes() : Set.of());
  }

  private static boolean isTrue(List<Condition> conditions, String type) {
    return conditions.stream()
        .anyMatch(c -> c.getType().equals(type) && c.getStatus().equals("True"));
  }

  private void reportSpec(TierDocument document, ReportSnapshot before, ReportSnapshot now) {
    if (!now.mode().isEmpty() && !now.mode().equals(before.mode())) {
      String was = before.mode().isEmpty() ? "" : ", was " + before.mode();
      events.normal(document, "ModeChanged", "mode is " + now.mode() + was);
    }
    if (!now.errors().isEmpty() && !now.errors().equals(before.errors())) {
      events.warning(document, "SpecRefused", now.errors());
    }
    if (!now.conflicts().isEmpty() && !now.conflicts().equals(before.conflicts())) {
      events.warning(
          document,
          "Conflict",
          "controlled by an older MemoryTier, "
              + list(new TreeSet<>(now.conflicts().values()))
              + ": "
              + list(now.conflicts().keySet()));
    }
    if (now.conflicts().isEmpty() && !before.conflicts().isEmpty()) {
      events.normal(
          document,
          "ConflictEnded",
          "no longer controlled by an older MemoryTier: " + list(before.conflicts().keySet()));
    }
  }

  private void reportNodes(TierDocument document, ReportSnapshot before, ReportSnapshot now) {
    Set<String> added = without(now.nodes(), before.nodes());
    if (!added.isEmpty()) {
      events.normal(document, "NodesAdded", list(added));
    }
    Set<String> removed = without(before.nodes(), now.nodes());
    if (!removed.isEmpty()) {
      events.normal(document, "NodesRemoved", list(removed));
    }
  }

  private void reportLost(
      TierDocument document, ReportSnapshot before, ReportSnapshot now, List<TierView> tiers) {
    Set<String> lost = without(now.lost(), before.lost());
    if (!lost.isEmpty()) {
      String why =
          tiers.stream()
              .filter(tier -> lost.contains(tier.node()))
              .findFirst()
              .map(tier -> ": " + tier.state() + ", " + tier.stateReason())
              .orElse("");
      events.warning(document, "NodesLost", list(lost) + why);
    }
    Set<String> back = without(before.lost(), now.lost());
    back.retainAll(now.ready());
    if (!back.isEmpty()) {
      events.normal(document, "NodesBack", list(back));
    }
  }

  private void reportGuards(TierDocument document, ReportSnapshot before, ReportSnapshot now) {
    Set<String> began = without(now.guarded(), before.guarded());
    if (!began.isEmpty()) {
      events.warning(document, "Guarded", "the guard on the node decides: " + list(began));
    }
    Set<String> ended = without(before.guarded(), now.guarded());
    ended.retainAll(now.nodes());
    if (!ended.isEmpty()) {
      events.normal(document, "GuardEnded", list(ended));
    }
  }

  /** Records that an unclaimed tier has its full capacity again, or could not be reached. */
  void released(TierKey key, boolean succeeded) {
    releases.add(new Release(key, succeeded));
  }

  /** Reports the results of releases, one event per MemoryTier and result. */
  void reportReleases() {
    Map<TierDocument, Set<String>> succeeded = new HashMap<>();
    Map<TierDocument, Set<String>> failed = new HashMap<>();
    for (Release next = releases.poll(); next != null; next = releases.poll()) {
      TierDocument document = owners.remove(next.key());
      if (document != null) {
        (next.succeeded() ? succeeded : failed)
            .computeIfAbsent(document, d -> new TreeSet<>())
            .add(next.key().node());
      }
    }
    succeeded.forEach(
        (document, nodes) ->
            events.normal(document, "Released", "full capacity restored on " + list(nodes)));
    failed.forEach(
        (document, nodes) ->
            events.warning(
                document,
                "NotReleased",
                "could not be reached, so the last capacity remains: " + list(nodes)));
  }

  /** Forgets all other resources. */
  void retain(Set<String> uids) {
    snapshots.keySet().retainAll(uids);
  }

  /** Forgets everything, because another replica reports now. */
  void clear() {
    snapshots.clear();
    owners.clear();
    releases.clear();
  }

  private static Set<String> names(Collection<ClaimedNode> nodes) {
    return nodes.stream().map(ClaimedNode::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static String list(Collection<String> names) {
    String first = names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
    return names.size() > MAX_NAMES
        ? first + " and " + (names.size() - MAX_NAMES) + " more"
        : first;
  }
}
