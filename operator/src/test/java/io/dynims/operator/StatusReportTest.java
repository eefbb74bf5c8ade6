package io.dynims.operator;

import static io.dynims.operator.TestCluster.CREATED;
import static io.dynims.operator.TestCluster.claim;
import static io.dynims.operator.TestCluster.document;
import static io.dynims.operator.TestCluster.paused;
import static io.dynims.operator.TestCluster.tier;
import static io.dynims.operator.TestCluster.tiers;
import static io.dynims.operator.TestCluster.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusReportTest {

  private static final Instant NOW = Instant.parse("2026-11-21T13:00:00.987Z");
  private static final TierDocument DOCUMENT = document("alluxio", CREATED, "{}");
  private static final String NOT_GUARDED =
      "Guarded=False Controlled: no node is left to its guard";

  @Test
  void aFleetInGoodStateIsReadyFreshAndEnforcing() {
    MemoryTierStatus status = enforcing(tiers(TierState.Enforcing, "n1", "n2"), "n1", "n2");

    assertThat(status.observedGeneration()).isEqualTo(3);
    assertThat(status.mode()).isEqualTo("Enforce");
    assertThat(status.nodes()).isEqualTo(new MemoryTierStatus.Nodes(2, 2, 0));
    assertThat(status.capacity())
        .isEqualTo(new MemoryTierStatus.Capacity(180, 200, 120, "200", "120"));
    assertThat(lines(status))
        .containsExactly(
            "Ready=True AllNodes: 2 of 2 nodes",
            "MetricsFresh=True AllNodes: every node's metrics are fresh",
            "Enforcing=True AllNodes: every tier has its decided capacity",
            NOT_GUARDED);
  }

  @Test
  void selectedNodesThatNoAgentReachesDoNotCountAndAreNamed() {
    Claim claim = claim(DOCUMENT, "n1");
    var partly = new Claim(DOCUMENT, claim.nodes(), Map.of(), List.of("cp-1", "cp-2"), null);
    var none = new Claim(DOCUMENT, List.of(), Map.of(), List.of("cp-1"), null);

    assertThat(lines(enforcing(partly, tiers(TierState.Enforcing, "n1"))))
        .contains("Ready=True AllNodes: 1 of 1 nodes; no agent reaches cp-1, cp-2");
    assertThat(lines(enforcing(none, List.of())))
        .contains(
            "Ready=False NoNodes: no node with an agent matches spec.nodes.selector; no agent reaches cp-1");
  }

  @Test
  void aGuardThatDecidesNamesItsNode() {
    MemoryTierStatus status =
        enforcing(
            List.of(
                tier("n1", TierState.Enforcing, null),
                tier("n2", TierState.Guarded, "no controller had the tier")),
            "n1",
            "n2");

    assertThat(lines(status))
        .contains(
            "Ready=False NodesNotReady: 1 of 2 nodes; n2 is Guarded",
            "Guarded=True GuardDecides: no controller had the tier, or utilization was critical:"
                + " n2");
  }

  @Test
  void everyStateOfANodeIsReported() {
    MemoryTierStatus status =
        enforcing(
            List.of(
                tier("n1", TierState.Enforcing, null),
                tier("n2", TierState.Partial, "7 bytes cannot be evicted now"),
                tier("n3", TierState.Stale, "the last sample is older than 2000 ms"),
                tier("n4", TierState.Unreachable, "http://h:1 did not answer within 1000 ms"),
                unknown("n5", "no adapter is known: no agent runs on this node")),
            "n1",
            "n2",
            "n3",
            "n4",
            "n5");

    assertThat(status.nodes()).isEqualTo(new MemoryTierStatus.Nodes(5, 2, 1));
    assertThat(status.capacity().capacityBytes()).isEqualTo(400);
    assertThat(lines(status))
        .containsExactly(
            "Ready=False NodesNotReady: 2 of 5 nodes; n3 is Stale; n4 is Unreachable: http://h:1 did"
                + " not answer within 1000 ms; n5 is Pending: no adapter is known: no agent runs on"
                + " this node",
            "MetricsFresh=False Stale: n3 is Stale",
            "Enforcing=False NotAllNodes: 2 of 5 nodes; n3 is Stale; n4 is Unreachable: http://h:1"
                + " did not answer within 1000 ms; n5 is Pending: no adapter is known: no agent runs"
                + " on this node",
            NOT_GUARDED);
  }

  @Test
  void partialIsReadyAndEnforcingAndNamesTheNode() {
    MemoryTierStatus status = enforcing(List.of(tier("n1", TierState.Partial, "7 bytes")), "n1");

    assertThat(lines(status)).contains("Ready=True AllNodes: 1 of 1 nodes");
    assertThat(lines(status)).contains("Enforcing=True Partial: n1 is Partial");
  }

  @Test
  void aPolicyThatDoesNotSuitANodeIsAWarning() {
    MemoryTierStatus status =
        enforcing(
            List.of(
                tier("n1", TierState.Enforcing, null),
                tier("n2", TierState.Enforcing, "spec.memory.total is 9, but 8 apply")),
            "n1",
            "n2");

    assertThat(lines(status))
        .contains(
            "Enforcing=True AllNodes: every tier has its decided capacity;"
                + " n2: spec.memory.total is 9, but 8 apply");
  }

  @Test
  void aReasonThatChangesWithTimeIsNotPartOfAMessage() {
    MemoryTierStatus one = enforcing(List.of(tier("n1", TierState.Stale, "2001 ms old")), "n1");
    MemoryTierStatus two = enforcing(List.of(tier("n1", TierState.Stale, "9999 ms old")), "n1");

    assertThat(two).isEqualTo(one);
  }

  @Test
  void unknownNodesHaveNotSentMetrics() {
    MemoryTierStatus status = enforcing(List.of(unknown("n1", "not answered")), "n1", "n2");

    assertThat(status.nodes()).isEqualTo(new MemoryTierStatus.Nodes(2, 0, 0));
    assertThat(status.capacity()).isEqualTo(new MemoryTierStatus.Capacity(0, 0, 0, "0", "0"));
    assertThat(lines(status))
        .contains("MetricsFresh=Unknown NoMetrics: 2 nodes have not sent metrics yet");
  }

  @Test
  void noNodesIsNotReady() {
    assertThat(lines(enforcing(List.of())))
        .containsExactly(
            "Ready=False NoNodes: no node with an agent matches spec.nodes.selector",
            "MetricsFresh=Unknown NoNodes: there are no nodes to measure",
            "Enforcing=False NoNodes: there are no tiers to resize",
            NOT_GUARDED);
  }

  @ParameterizedTest(name = "{0}, paused: {1}")
  @CsvSource({
    "Recommend, false, Recommend, Recommending, True",
    "Recommend, true, Paused, Recommending, True",
    "Off, false, Off, Off, Unknown",
    "Off, true, Off, Off, Unknown"
  })
  void aTierThatIsNotResizedIsReadyButNotEnforcing(
      Mode mode, boolean paused, String shown, TierState state, String fresh) {
    var report =
        new StatusReport(claim(DOCUMENT, "n1"), tiers(state, "n1"), mode, paused, false, List.of());
    MemoryTierStatus status = report.status(null, NOW);

    assertThat(status.mode()).isEqualTo(shown);
    assertThat(condition(status, "Ready").getStatus()).isEqualTo("True");
    assertThat(condition(status, "MetricsFresh").getStatus()).isEqualTo(fresh);
    assertThat(lines(status)).contains("Enforcing=False " + shown + ": tiers are not resized");
  }

  @Test
  void aNodeThatIsPausedByItselfIsNamed() {
    var report =
        new StatusReport(
            claim(DOCUMENT, "n1", "n2"),
            List.of(tier("n1", TierState.Enforcing, null), paused("n2")),
            Mode.Enforce,
            false,
            false,
            List.of());

    assertThat(lines(report.status(null, NOW)))
        .contains("Enforcing=False NotAllNodes: 1 of 2 nodes; n2 is paused");
  }

  @Test
  void aConflictNamesTheNodesAndTheirOwners() {
    Claim claim = claim(DOCUMENT, "n1");
    var contested =
        new Claim(DOCUMENT, claim.nodes(), Map.of("n2", "default/older"), List.of(), null);
    var report =
        new StatusReport(
            contested, tiers(TierState.Enforcing, "n1"), Mode.Enforce, false, false, List.of());

    assertThat(lines(report.status(null, NOW)))
        .contains(
            "Ready=False Conflict: 1 selected nodes belong to an older MemoryTier: n2"
                + " (default/older)",
            "Enforcing=True AllNodes: every tier has its decided capacity");
  }

  @Test
  void aRejectedSpecLeavesTheLastValidOneInEffect() {
    var report =
        new StatusReport(
            claim(DOCUMENT, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            false,
            List.of("spec.law.gain: 3.0 is not above 0 and at most 2", "spec.x: is not a field"));
    MemoryTierStatus status = report.status(null, NOW);

    assertThat(status.mode()).isEqualTo("Enforce");
    assertThat(lines(status))
        .contains(
            "Ready=False SpecRefused: spec.law.gain: 3.0 is not above 0 and at most 2; spec.x: is"
                + " not a field; the last valid spec stays in effect",
            "Enforcing=True AllNodes: every tier has its decided capacity");
  }

  @Test
  void aLawThatIsOverruledIsSaidWithoutAWordOfAnEarlierSpec() {
    var report =
        new StatusReport(
            claim(DOCUMENT, "n1"),
            tiers(TierState.Enforcing, "n1"),
            Mode.Enforce,
            false,
            true,
            List.of("spec.law: is not that of dynims/old, which applies to all tiers of n1"));

    assertThat(lines(report.status(null, NOW)))
        .contains(
            "Ready=False SpecRefused: spec.law: is not that of dynims/old, which applies to all"
                + " tiers of n1");
  }

  @Test
  void aSpecThatWasNeverValidHasNoMode() {
    var report =
        new StatusReport(
            claim(DOCUMENT, "n1"), List.of(), null, false, false, List.of("spec: bad"));
    MemoryTierStatus status = report.status(null, NOW);

    assertThat(status.mode()).isEmpty();
    assertThat(lines(status))
        .containsExactly(
            "Ready=False SpecRefused: spec: bad",
            "MetricsFresh=Unknown NoMetrics: 1 nodes have not sent metrics yet",
            "Enforcing=False SpecRefused: no spec has taken effect yet",
            NOT_GUARDED);
  }

  @Test
  void onlyTheFirstOfManyNodesAreNamed() {
    String[] nodes = IntStream.rangeClosed(1, 8).mapToObj(i -> "n" + i).toArray(String[]::new);

    assertThat(
            condition(enforcing(tiers(TierState.Stale, nodes), nodes), "MetricsFresh").getMessage())
        .isEqualTo("n1 is Stale; n2 is Stale; n3 is Stale; n4 is Stale; n5 is Stale and 3 more");

    Map<String, String> conflicts = new TreeMap<>();
    Stream.of(nodes).forEach(node -> conflicts.put(node, "ns/a"));
    var report =
        new StatusReport(
            new Claim(DOCUMENT, List.of(), conflicts, List.of(), null),
            List.of(),
            Mode.Off,
            false,
            false,
            List.of());
    assertThat(condition(report.status(null, NOW), "Ready").getMessage())
        .startsWith("8 selected nodes")
        .endsWith("n5 (ns/a) and 3 more");
  }

  @Test
  void aLongMessageIsTruncated() {
    MemoryTierStatus status =
        enforcing(List.of(tier("n1", TierState.Unreachable, "x".repeat(5_000))), "n1");

    assertThat(condition(status, "Ready").getMessage()).hasSize(1_000);
  }

  @Test
  void aConditionKeepsItsTimeUntilItsStatusChanges() {
    MemoryTierStatus first = enforcing(tiers(TierState.Enforcing, "n1"), "n1");
    Instant later = NOW.plusSeconds(100);
    var report =
        new StatusReport(
            claim(DOCUMENT, "n1"),
            tiers(TierState.Stale, "n1"),
            Mode.Enforce,
            false,
            false,
            List.of());
    MemoryTierStatus second = report.status(first, later);
    MemoryTierStatus third = report.status(second, later.plusSeconds(100));

    assertThat(condition(first, "Ready").getLastTransitionTime()).isEqualTo("2026-11-21T13:00:00Z");
    assertThat(condition(second, "Ready").getLastTransitionTime())
        .isEqualTo("2026-11-21T13:01:40Z");
    assertThat(condition(second, "Ready").getObservedGeneration()).isEqualTo(3);
    assertThat(third).isEqualTo(second);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1023, 1023",
    "1024, 1.0Ki",
    "1536, 1.5Ki",
    "64424509440, 60.0Gi",
    "9223372036854775807, 8192.0Pi"
  })
  void bytesAreShownWithFewDigits(long bytes, String text) {
    assertThat(MemoryTierStatus.Capacity.humanReadable(bytes)).isEqualTo(text);
  }

  private static MemoryTierStatus enforcing(List<TierView> tiers, String... nodes) {
    return enforcing(claim(DOCUMENT, nodes), tiers);
  }

  private static MemoryTierStatus enforcing(Claim claim, List<TierView> tiers) {
    return new StatusReport(claim, tiers, Mode.Enforce, false, false, List.of()).status(null, NOW);
  }

  private static Condition condition(MemoryTierStatus status, String type) {
    return status.conditions().stream().filter(c -> c.getType().equals(type)).findFirst().get();
  }

  private static List<String> lines(MemoryTierStatus status) {
    return status.conditions().stream()
        .map(c -> c.getType() + "=" + c.getStatus() + " " + c.getReason() + ": " + c.getMessage())
        .toList();
  }
}
