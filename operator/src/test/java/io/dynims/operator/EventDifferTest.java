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

  private final List<String> told = new ArrayList<>();
  private final EventDiffer chronicle = new EventDiffer(this);

  @Test
  void aNewResourceTellsItsModeAndItsNodes() {
    follow(report("n1", "n2"));

    assertTold("Normal ModeChanged: mode is Enforce", "Normal NodesAdded: n1, n2");
  }

  @Test
  void whatStaysAsItIsIsToldOnce() {
    follow(report("n1"), report("n1"));

    assertThat(told).hasSize(2);
  }

  @Test
  void aNewLeaderSaysNothingTwice() {
    StatusReport contested = contested("n1", Map.of("n2", "default/older"));
    TierDocument written = TestCluster.with(DOCUMENT, contested.status(null, Instant.EPOCH));

    follow(
        new StatusReport(
            new Claim(written, contested.claim().nodes(), contested.claim().conflicts(), null),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            List.of()));

    assertThat(told).isEmpty();
  }

  @Test
  void aNewLeaderDoesNotRefuseASpecTwice() {
    StatusReport refused = refused(Mode.Enforce, "spec.law.gain: 3.0");
    TierDocument written = TestCluster.with(DOCUMENT, refused.status(null, Instant.EPOCH));

    follow(
        new StatusReport(
            claim(written, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            refused.errors()));

    assertThat(told).isEmpty();
  }

  @Test
  void aChangedModeSaysWhatItWas() {
    follow(report("n1"));
    told.clear();

    follow(report(Mode.Enforce, true, tiers(TierState.Recommending, "n1"), "n1"));
    follow(report(Mode.Off, false, tiers(TierState.Off, "n1"), "n1"));

    assertTold(
        "Normal ModeChanged: mode is Paused, was Enforce",
        "Normal ModeChanged: mode is Off, was Paused");
  }

  @Test
  void aRefusedSpecIsToldAndIsNoChangeOfMode() {
    follow(refused(null, "spec.law.gain: 3.0"));
    follow(refused(null, "spec.law.gain: 3.0"));
    follow(refused(null, "spec.law.gain: 4.0"));

    assertTold(
        "Warning SpecRefused: spec.law.gain: 3.0",
        "Normal NodesAdded: n1",
        "Warning SpecRefused: spec.law.gain: 4.0");
  }

  @Test
  void aSpecThatIsRefusedAgainAfterItWasGoodIsToldAgain() {
    follow(refused(Mode.Enforce, "spec.x"), report("n1"));
    told.clear();

    follow(refused(Mode.Enforce, "spec.x"));

    assertTold("Warning SpecRefused: spec.x");
  }

  @Test
  void nodesThatComeAndGoAreNamed() {
    follow(report("n1", "n2"));
    told.clear();

    follow(report("n2", "n3", "n4"));

    assertTold("Normal NodesAdded: n3, n4", "Normal NodesRemoved: n1");
  }

  @Test
  void ofManyNodesTheFirstAreNamed() {
    follow(report("n1", "n2", "n3", "n4", "n5", "n6", "n7"));

    assertThat(told).contains("Normal NodesAdded: n1, n2, n3, n4, n5 and 2 more");
  }

  @Test
  void aNodeIsLostOnceAndBackOnce() {
    List<TierView> lost =
        List.of(
            tier("n1", TierState.Enforcing, null),
            tier("n2", TierState.Stale, "the last sample is older than 2000 ms"));
    follow(report("n1", "n2"));
    told.clear();

    follow(report(Mode.Enforce, false, lost, "n1", "n2"));
    follow(report(Mode.Enforce, false, lost, "n1", "n2"));
    follow(report("n1", "n2"));
    follow(report("n1", "n2"));

    assertTold(
        "Warning NodesLost: n2: Stale, the last sample is older than 2000 ms",
        "Normal NodesBack: n2");
  }

  @Test
  void aLostNodeThatIsStillNotReadyIsNotBack() {
    follow(report("n1"));
    follow(report(Mode.Enforce, false, List.of(tier("n1", TierState.Unreachable, "gone")), "n1"));
    told.clear();

    follow(report(Mode.Enforce, false, List.of(unknown("n1", "not yet")), "n1"));
    assertThat(told).isEmpty();

    follow(report("n1"));
    assertTold("Normal NodesBack: n1");
  }

  @Test
  void aNodeThatWasNeverReadyIsNotLost() {
    follow(
        report(Mode.Enforce, false, List.of(tier("n1", TierState.Unreachable, "refused")), "n1"));
    follow(report(Mode.Enforce, false, List.of(tier("n1", TierState.Stale, "old")), "n1"));

    assertThat(told).noneMatch(event -> event.contains("NodesLost"));
  }

  @Test
  void aLostNodeThatIsNoLongerSelectedIsRemovedAndNotBack() {
    follow(report("n1", "n2"));
    follow(report(Mode.Enforce, false, List.of(tier("n1", TierState.Stale, "old")), "n1", "n2"));
    told.clear();

    follow(report("n2"));

    assertTold("Normal NodesRemoved: n1");
  }

  @Test
  void aConflictBeginsAndEnds() {
    follow(report("n1"));
    told.clear();

    follow(contested("n1", Map.of("n2", "default/older")));
    follow(contested("n1", Map.of("n2", "default/older")));
    follow(report("n1"));

    assertTold(
        "Warning Conflict: taken by an older MemoryTier, default/older: n2",
        "Normal ConflictEnded: no longer taken by an older MemoryTier: n2");
  }

  @Test
  void releasesAreToldTogetherEvenOfAResourceThatIsGone() {
    follow(report("n1", "n2", "n3"));
    chronicle.keep(Set.of());
    told.clear();

    chronicle.released(new TierKey("n1", "alluxio"), true);
    chronicle.released(new TierKey("n2", "alluxio"), true);
    chronicle.released(new TierKey("n3", "alluxio"), false);
    chronicle.tellReleases();
    chronicle.tellReleases();

    assertTold(
        "Normal Released: the greatest capacity is in force again on n1, n2",
        "Warning NotReleased: could not be reached any more, so that the last capacity stays: n3");
  }

  @Test
  void aReleaseOfWhatNobodyRemembersIsNotTold() {
    chronicle.released(new TierKey("n9", "alluxio"), true);
    chronicle.tellReleases();

    assertThat(told).isEmpty();
  }

  @Test
  void aStandbyForgetsAndLaterStartsFromTheStatus() {
    follow(report("n1"));
    chronicle.forget();
    told.clear();

    TierDocument written = TestCluster.with(DOCUMENT, report("n1").status(null, Instant.EPOCH));
    follow(
        new StatusReport(
            claim(written, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            List.of()));

    assertThat(told).isEmpty();
  }

  private void follow(StatusReport... reports) {
    List.of(reports).forEach(chronicle::follow);
  }

  private static StatusReport report(String... nodes) {
    return report(Mode.Enforce, false, tiers(TierState.Enforcing, nodes), nodes);
  }

  private static StatusReport report(
      Mode mode, boolean paused, List<TierView> tiers, String... nodes) {
    return new StatusReport(claim(DOCUMENT, nodes), tiers, mode, paused, List.of());
  }

  private static StatusReport refused(Mode inForce, String error) {
    return new StatusReport(claim(DOCUMENT, "n1"), List.of(), inForce, false, List.of(error));
  }

  private static StatusReport contested(String node, Map<String, String> conflicts) {
    return new StatusReport(
        new Claim(DOCUMENT, claim(DOCUMENT, node).nodes(), conflicts, null),
        tiers(TierState.Enforcing, node),
        Mode.Enforce,
        false,
        List.of());
  }

  private void assertTold(String... events) {
    assertThat(told).containsExactly(events);
  }

  @Override
  public void normal(TierDocument about, String reason, String message) {
    told.add("Normal " + reason + ": " + message);
  }

  @Override
  public void warning(TierDocument about, String reason, String message) {
    told.add("Warning " + reason + ": " + message);
  }
}
