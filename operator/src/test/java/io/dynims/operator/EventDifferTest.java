package io.dynims.operator;

import static io.dynims.operator.TestCluster.CREATED;
import static io.dynims.operator.TestCluster.claim;
import static io.dynims.operator.TestCluster.document;
import static io.dynims.operator.TestCluster.tier;
import static io.dynims.operator.TestCluster.tiers;
import static io.dynims.operator.TestCluster.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventDifferTest implements Events {

  private static final TierDocument DOCUMENT = document("alluxio", CREATED, "{}");

  private final List<String> reported = new ArrayList<>();
  private final EventDiffer differ = new EventDiffer(this);

  @Test
  void aNewResourceReportsItsModeAndItsNodes() {
    accept(report("n1", "n2"));

    assertReported("Normal ModeChanged: mode is Enforce", "Normal NodesAdded: n1, n2");
  }

  @Test
  void anUnchangedReportCausesNoEvents() {
    accept(report("n1"), report("n1"));

    assertThat(reported).hasSize(2);
  }

  @Test
  void aNewLeaderRepeatsNoEvents() {
    StatusReport contested = contested("n1", Map.of("n2", "default/older"));
    TierDocument written = TestCluster.with(DOCUMENT, contested.status(null, Instant.EPOCH));

    accept(
        new StatusReport(
            new Claim(
                written, contested.claim().nodes(), contested.claim().conflicts(), List.of(), null),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            false,
            List.of()));

    assertThat(reported).isEmpty();
  }

  @Test
  void aNewLeaderDoesNotRepeatARejection() {
    StatusReport refused = refused(Mode.Enforce, "spec.law.gain: 3.0");
    TierDocument written = TestCluster.with(DOCUMENT, refused.status(null, Instant.EPOCH));

    accept(
        new StatusReport(
            claim(written, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            false,
            refused.errors()));

    assertThat(reported).isEmpty();
  }

  @Test
  void aChangedModeNamesTheFormerOne() {
    accept(report("n1"));
    reported.clear();

    accept(report(Mode.Enforce, true, tiers(TierState.Recommending, "n1"), "n1"));
    accept(report(Mode.Off, false, tiers(TierState.Off, "n1"), "n1"));

    assertReported(
        "Normal ModeChanged: mode is Paused, was Enforce",
        "Normal ModeChanged: mode is Off, was Paused");
  }

  @Test
  void aRejectedSpecIsReportedAndIsNoChangeOfMode() {
    accept(refused(null, "spec.law.gain: 3.0"));
    accept(refused(null, "spec.law.gain: 3.0"));
    accept(refused(null, "spec.law.gain: 4.0"));

    assertReported(
        "Warning SpecRefused: spec.law.gain: 3.0",
        "Normal NodesAdded: n1",
        "Warning SpecRefused: spec.law.gain: 4.0");
  }

  @Test
  void aSpecThatIsRejectedAgainIsReportedAgain() {
    accept(refused(Mode.Enforce, "spec.x"), report("n1"));
    reported.clear();

    accept(refused(Mode.Enforce, "spec.x"));

    assertReported("Warning SpecRefused: spec.x");
  }

  @Test
  void addedAndRemovedNodesAreNamed() {
    accept(report("n1", "n2"));
    reported.clear();

    accept(report("n2", "n3", "n4"));

    assertReported("Normal NodesAdded: n3, n4", "Normal NodesRemoved: n1");
  }

  @Test
  void onlyTheFirstOfManyNodesAreNamed() {
    accept(report("n1", "n2", "n3", "n4", "n5", "n6", "n7"));

    assertThat(reported).contains("Normal NodesAdded: n1, n2, n3, n4, n5 and 2 more");
  }

  @Test
  void aNodeIsLostOnceAndBackOnce() {
    List<TierView> lost =
        List.of(
            tier("n1", TierState.Enforcing, null),
            tier("n2", TierState.Stale, "the last sample is older than 2000 ms"));
    accept(report("n1", "n2"));
    reported.clear();

    accept(report(Mode.Enforce, false, lost, "n1", "n2"));
    accept(report(Mode.Enforce, false, lost, "n1", "n2"));
    accept(report("n1", "n2"));
    accept(report("n1", "n2"));

    assertReported(
        "Warning NodesLost: n2: Stale, the last sample is older than 2000 ms",
        "Normal NodesBack: n2");
  }

  @Test
  void aLostNodeThatIsNotReadyYetIsNotBack() {
    accept(report("n1"));
    accept(report(Mode.Enforce, false, List.of(tier("n1", TierState.Unreachable, "gone")), "n1"));
    reported.clear();

    accept(report(Mode.Enforce, false, List.of(unknown("n1", "not yet")), "n1"));
    assertThat(reported).isEmpty();

    accept(report("n1"));
    assertReported("Normal NodesBack: n1");
  }

  @Test
  void aNodeThatWasNeverReadyIsNotLost() {
    accept(
        report(Mode.Enforce, false, List.of(tier("n1", TierState.Unreachable, "refused")), "n1"));
    accept(report(Mode.Enforce, false, List.of(tier("n1", TierState.Stale, "old")), "n1"));

    assertThat(reported).noneMatch(event -> event.contains("NodesLost"));
  }

  @Test
  void aLostNodeThatIsNoLongerSelectedIsRemovedAndNotBack() {
    accept(report("n1", "n2"));
    accept(report(Mode.Enforce, false, List.of(tier("n1", TierState.Stale, "old")), "n1", "n2"));
    reported.clear();

    accept(report("n2"));

    assertReported("Normal NodesRemoved: n1");
  }

  @Test
  void aGuardBeginsAndEnds() {
    List<TierView> guarded =
        List.of(tier("n1", TierState.Enforcing, null), tier("n2", TierState.Guarded, "because"));
    accept(report("n1", "n2"));
    reported.clear();

    accept(report(Mode.Enforce, false, guarded, "n1", "n2"));
    accept(report(Mode.Enforce, false, guarded, "n1", "n2"));
    accept(report("n1", "n2"));

    assertReported("Warning Guarded: the guard on the node decides: n2", "Normal GuardEnded: n2");
  }

  @Test
  void aNewLeaderDoesNotRepeatThatAGuardDecides() {
    List<TierView> guarded = List.of(tier("n1", TierState.Guarded, "because"));
    StatusReport before = report(Mode.Enforce, false, guarded, "n1");
    TierDocument written = TestCluster.with(DOCUMENT, before.status(null, Instant.EPOCH));

    accept(
        new StatusReport(
            claim(written, "n1"), before.tiers(), Mode.Enforce, false, false, List.of()));

    assertThat(reported).isEmpty();
  }

  @Test
  void aConflictBeginsAndEnds() {
    accept(report("n1"));
    reported.clear();

    accept(contested("n1", Map.of("n2", "default/older")));
    accept(contested("n1", Map.of("n2", "default/older")));
    accept(report("n1"));

    assertReported(
        "Warning Conflict: controlled by an older MemoryTier, default/older: n2",
        "Normal ConflictEnded: no longer controlled by an older MemoryTier: n2");
  }

  @Test
  void releasesAreReportedTogetherEvenForADeletedResource() {
    accept(report("n1", "n2", "n3"));
    differ.retain(Set.of());
    reported.clear();

    differ.released(new TierKey("n1", "alluxio"), true);
    differ.released(new TierKey("n2", "alluxio"), true);
    differ.released(new TierKey("n3", "alluxio"), false);
    differ.reportReleases();
    differ.reportReleases();

    assertReported(
        "Normal Released: full capacity restored on n1, n2",
        "Warning NotReleased: could not be reached, so the last capacity remains: n3");
  }

  @Test
  void aReleaseOfAnUnknownTierIsIgnored() {
    differ.released(new TierKey("n9", "alluxio"), true);
    differ.reportReleases();

    assertThat(reported).isEmpty();
  }

  @Test
  void afterClearTheStatusIsTheStart() {
    accept(report("n1"));
    differ.clear();
    reported.clear();

    TierDocument written = TestCluster.with(DOCUMENT, report("n1").status(null, Instant.EPOCH));
    accept(
        new StatusReport(
            claim(written, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            false,
            List.of()));

    assertThat(reported).isEmpty();
  }

  private void accept(StatusReport... reports) {
    List.of(reports).forEach(differ::report);
  }

  private static StatusReport report(String... nodes) {
    return report(Mode.Enforce, false, tiers(TierState.Enforcing, nodes), nodes);
  }

  private static StatusReport report(
      Mode mode, boolean paused, List<TierView> tiers, String... nodes) {
    return new StatusReport(claim(DOCUMENT, nodes), tiers, mode, paused, false, List.of());
  }

  private static StatusReport refused(Mode inForce, String error) {
    return new StatusReport(
        claim(DOCUMENT, "n1"), List.of(), inForce, false, false, List.of(error));
  }

  private static StatusReport contested(String node, Map<String, String> conflicts) {
    return new StatusReport(
        new Claim(DOCUMENT, claim(DOCUMENT, node).nodes(), conflicts, List.of(), null),
        tiers(TierState.Enforcing, node),
        Mode.Enforce,
        false,
        false,
        List.of());
  }

  private void assertReported(String... events) {
    assertThat(reported).containsExactly(events);
  }

  @Override
  public void normal(TierDocument about, String reason, String message) {
    reported.add("Normal " + reason + ": " + message);
  }

  @Override
  public void warning(TierDocument about, String reason, String message) {
    reported.add("Warning " + reason + ": " + message);
  }
}
