package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.StubAdapter;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.tier.TierRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guard behind an adapter is told of the policy. */
class GuardPolicyTest {

  private static final String MAX = "1000";

  private final PushFixture fixture = new PushFixture(PushFixture.SETTINGS);
  private final StubAdapter adapter = new StubAdapter("n1");

  @AfterEach
  void close() throws Exception {
    adapter.close();
    fixture.close();
  }

  @Test
  void theFirstPushCarriesThePolicyAndTheNextOnesDoNot() {
    apply("Enforce", MAX);

    push(400, 401, 402, 403);

    assertThat(adapter.requests.get(0).policy()).isEqualTo(policy("Enforce", MAX));
    // A poll between two pushes makes the controller send it again.
    assertThat(adapter.requests).filteredOn(request -> request.policy() != null).hasSizeLessThan(4);
  }

  @Test
  void aChangedPolicyGoesWithTheNextPush() {
    apply("Enforce", MAX);
    push(400);

    apply("Enforce", "900");
    push(401);

    assertThat(adapter.requests.get(1).policy()).isEqualTo(policy("Enforce", "900"));
  }

  @Test
  void anAdapterThatFailedIsSentThePolicyAgain() {
    apply("Enforce", MAX);
    push(400);
    adapter.setAway(true);
    fixture.offer(target("n1", 401));
    fixture.awaitAck("n1", 401, AckStatus.Failed);
    adapter.setAway(false);
    adapter.forgetPolicy();

    push(399);

    assertThat(adapter.mode()).isEqualTo(Mode.Enforce);
  }

  @Test
  void anAdapterWithoutAPolicyIsSentItAgain() {
    apply("Enforce", MAX);
    push(400);
    adapter.forgetPolicy();

    await()
        .until(
            () -> {
              push(500 + adapter.requests.size());
              return adapter.mode() == Mode.Enforce;
            });
  }

  @Test
  void aGuardWithoutAPolicyIsGivenItAlsoWhileNobodyDecides() {
    apply("Enforce", MAX);

    await().until(() -> adapter.mode() == Mode.Enforce);

    TierRequest request = adapter.requests.get(0);
    assertThat(request.policy()).isEqualTo(policy("Enforce", MAX));
    assertThat(request.desiredBytes()).as("what is in force").isEqualTo(1_000);
    assertThat(adapter.capacityBytes()).isEqualTo(1_000);
  }

  /** The job only holds, or what it decides comes too late. */
  @ParameterizedTest
  @CsvSource({"Stale, 0", "None, 60000"})
  void aGuardWithoutAPolicyIsGivenItAlsoWhileNothingIsPushed(Limit limit, long ageMillis) {
    apply("Enforce", MAX);

    await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              fixture.offer(target("n1", 400, System.currentTimeMillis() - ageMillis, limit));
              return adapter.mode() == Mode.Enforce;
            });

    assertThat(adapter.capacityBytes()).isEqualTo(1_000);
  }

  @Test
  void aGuardIsGivenAChangedPolicyAlsoWhileNobodyDecides() {
    apply("Enforce", MAX);
    push(400);

    apply("Enforce", "900");

    await().until(() -> policy("Enforce", "900").equals(last().policy()));
    assertThat(last().desiredBytes()).as("what is in force").isEqualTo(400);
    assertThat(adapter.mode()).isEqualTo(Mode.Enforce);
  }

  private TierRequest last() {
    return adapter.requests.get(adapter.requests.size() - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Recommend", "\"Off\""})
  void aPolicyThatEnforcesNoMoreEndsTheGuardsWorkAndLeavesTheCapacity(String mode) {
    apply("Enforce", MAX);
    push(400);

    apply(mode, MAX);

    await().until(() -> adapter.mode() == Mode.valueOf(mode.replace("\"", "")));
    assertThat(adapter.capacityBytes()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Recommend", "\"Off\""})
  void aGuardThatFollowsAnOldPolicyIsTold(String mode) {
    adapter.follow(policy("Enforce", MAX));
    adapter.setDeciding(true);
    adapter.setAway(true);

    apply(mode, MAX);
    await().until(() -> mode.equals("\"Off\"") || fixture.stateReason("n1") != null);
    adapter.setAway(false);

    await().until(() -> adapter.mode() == Mode.valueOf(mode.replace("\"", "")));
  }

  @Test
  void anAdapterOfAnotherNodeIsNeverPushedTo() {
    adapter.serve("n2");
    apply("Enforce", MAX);
    String reason = "the adapter at " + adapter.uri() + " is that of node n2, not of node n1";
    await().until(() -> fixture.stateReason("n1").startsWith(reason));

    fixture.offer(target("n1", 400));
    fixture.offer(target("n1", 401));
    adapter.serve("n1");
    await().until(() -> fixture.acks.stream().anyMatch(ack -> ack.status() == AckStatus.Applied));

    push(402);
    assertThat(adapter.requests)
        .extracting(TierRequest::desiredBytes)
        .as("what was in force, at most, and what was decided since")
        .isSubsetOf(1_000L, 402L)
        .endsWith(402L);
  }

  private void push(long... capacities) {
    for (long bytes : capacities) {
      fixture.offer(target("n1", bytes));
      fixture.awaitAck("n1", bytes, AckStatus.Applied);
    }
  }

  private void apply(String mode, String max) {
    fixture.apply(document("n1", adapter.uri(), mode, max));
  }

  private Policy policy(String mode, String max) {
    return policies(document("n1", adapter.uri(), mode, max)).tiers().get(0).policy();
  }
}
