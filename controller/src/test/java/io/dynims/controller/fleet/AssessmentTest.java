package io.dynims.controller.fleet;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.policy.ClaimedNode;
import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicyText;
import io.dynims.tier.GuardState;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssessmentTest {

  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final URI ADAPTER = URI.create("http://127.0.0.1:7070");

  private final Fleet fleet =
      new Fleet(
          new HistoryBound(10, 100), Clock.fixed(Instant.ofEpochMilli(NOW_MILLIS), ZoneOffset.UTC));

  @ParameterizedTest
  @ValueSource(strings = {"Enforce", "Recommend"})
  void aNodeWithoutAnAgentIsPendingAndSaysSo(String mode) {
    selected(mode, null);

    assertThat(view().state()).isEqualTo(TierState.Pending);
    assertThat(view().stateReason()).isEqualTo("no adapter is known: no agent runs on this node");
  }

  @Test
  void aNodeWithoutAnAgentIsOffWhereNothingIsToBeDone() {
    selected("\"Off\"", null);

    assertThat(view().state()).isEqualTo(TierState.Off);
  }

  @Test
  void anAgentThatComesLaterMustFirstAnswer() {
    selected("Enforce", null);
    selected("Enforce", ADAPTER);

    assertThat(view().stateReason()).isEqualTo("the adapter has not answered yet");
  }

  @Test
  void whileAnotherReplicaPushesTheTierIsEnforced() {
    decided("Enforce");
    asked(true);

    assertThat(view().state()).isEqualTo(TierState.Enforcing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "null"})
  void whileNobodyPushesTheFirstPushIsStillToCome(String leaseHeld) {
    decided("Enforce");
    asked(leaseHeld.equals("null") ? null : Boolean.valueOf(leaseHeld));

    assertThat(view().state()).isEqualTo(TierState.Pending);
    assertThat(view().stateReason()).isEqualTo("the first push is under way");
  }

  @Test
  void aGuardThatDecidesIsToldEvenWhereNoMetricsCome() {
    fleet.applyPolicies(policies(document("n1", ADAPTER, "Enforce", "1000")));
    asked(false, GuardState.Deciding);

    assertThat(view().state()).isEqualTo(TierState.Guarded);
    assertThat(view().stateReason())
        .isEqualTo("no controller had the tier: the guard on the node decides");

    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 60_000, Limit.None));
    assertThat(view().state()).isEqualTo(TierState.Guarded);

    asked(false, GuardState.Standby);
    assertThat(view().state()).isEqualTo(TierState.Stale);
  }

  @Test
  void aStaleTierRecoversOnceASampleIsHalfAsOldAsItMayBe() {
    decided("Enforce");
    asked(true);
    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 2_001, Limit.None));
    assertThat(view().state()).isEqualTo(TierState.Stale);
    assertThat(view().stateReason()).isEqualTo("the last sample is older than 2000 ms");

    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 1_900, Limit.None));
    assertThat(view().state()).isEqualTo(TierState.Stale);
    assertThat(view().stateReason()).isEqualTo("samples come late again, after 1000 ms or more");

    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 1_000, Limit.None));
    assertThat(view().state()).isEqualTo(TierState.Enforcing);
    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 900, Limit.None));
    assertThat(view().state()).isEqualTo(TierState.Enforcing);
  }

  @Test
  void aGuardThatBrakesIsTold() {
    decided("Enforce");
    asked(true, GuardState.Braking);

    assertThat(view().state()).isEqualTo(TierState.Guarded);
    assertThat(view().stateReason()).startsWith("utilization was critical");
  }

  @Test
  void anAdapterThatDoesNotAnswerIsUnreachableWhateverItsGuardDid() {
    decided("Enforce");
    asked(false, GuardState.Deciding);
    fleet.recordReply(fleet.tiers().get(0), TierReply.unreachable("gone"), false);

    assertThat(view().state()).isEqualTo(TierState.Unreachable);
  }

  @Test
  void aPausedTierIsRecommended() {
    fleet.applyPolicies(
        policies(
            document("n1", ADAPTER, "Enforce", "1000")
                .replace(
                    "name: memory", "name: memory, annotations: {dynims.io/paused: \"true\"}")));
    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 40, Limit.None));
    asked(null);

    assertThat(view().state()).isEqualTo(TierState.Recommending);
  }

  private void selected(String mode, URI adapter) {
    PolicyRegistry registry = new PolicyRegistry();
    Object document =
        PolicyText.documents(
                """
                apiVersion: dynims.io/v1alpha1
                kind: MemoryTier
                metadata: {name: memory}
                spec: {mode: %s, nodes: {selector: {}}, capacity: {max: 1000}}
                """
                    .formatted(mode))
            .get(0);
    registry.put("default/memory", (Map<?, ?>) document, List.of(new ClaimedNode("n1", adapter)));
    fleet.applyPolicies(registry.read());
  }

  private void decided(String mode) {
    fleet.applyPolicies(policies(document("n1", ADAPTER, mode, "1000")));
    fleet.recordDecision(target("n1", 600, NOW_MILLIS - 40, Limit.None));
  }

  private void asked(Boolean leaseHeld) {
    asked(leaseHeld, null);
  }

  private void asked(Boolean leaseHeld, GuardState guard) {
    var status =
        new TierStatus(
            null, "memory", 600, 0, 1_000, 50, 400, 0, null, null, "1", null, 1L, leaseHeld, guard,
            null, null, null, null, null);
    fleet.recordReply(fleet.tiers().get(0), new TierReply(AckStatus.Applied, status, ""), false);
  }

  private TierView view() {
    return fleet.view(fleet.tiers().get(0));
  }
}
