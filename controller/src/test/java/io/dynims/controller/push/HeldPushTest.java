package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pushes that are held back while the tier is steady. */
class HeldPushTest {

  private static final String MAX = "1000";

  @AutoClose private PushFixture fixture;

  @Test
  void aSteadyTierIsNotPushedAgainWhileHeld() throws Exception {
    fixture = new PushFixture(PushFixture.settings(60_000, 0));
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    fixture.offer(target("n1", 400, nowMillis, Limit.None));
    fixture.awaitAck("n1", 400, AckStatus.Applied);
    fixture.offerAndAwait(target("n1", 400, nowMillis + 1, Limit.Max));
    assertThat(store.resizes).containsExactly(400L, 400L);
    fixture.offerAndAwait(target("n1", 400, nowMillis + 2, Limit.Max));
    assertThat(store.resizes).containsExactly(400L, 400L);

    fixture.offer(target("n1", 300, nowMillis + 3, Limit.None));
    fixture.awaitAck("n1", 300, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(400L, 400L, 300L);
  }

  @Test
  void smallChangesAreHeldUntilTheyAddUp() throws Exception {
    fixture = new PushFixture(PushFixture.settings(60_000, 0.01));
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    // A hundredth of the node's memory is 10 bytes.
    long[] capacities = {400, 400, 405, 390, 410, 411};
    List<Ack> received = new ArrayList<>();
    for (int i = 0; i < capacities.length; i++) {
      received.add(fixture.offerAndAwait(target("n1", capacities[i], nowMillis + i, Limit.None)));
    }

    assertThat(store.resizes).containsExactly(400L, 400L, 411L);
    assertThat(received)
        .extracting(Ack::desiredBytes)
        .containsExactly(400L, 400L, 400L, 400L, 400L, 411L);
    assertThat(received)
        .extracting(Ack::capacityBytes)
        .containsExactly(400L, 400L, 400L, 400L, 400L, 411L);
    assertThat(received.subList(1, 5))
        .extracting(Ack::appliedMillis)
        .containsOnly(received.get(1).appliedMillis());
  }

  @Test
  void aSmallChangeIsPushedAfterTheHoldTime() throws Exception {
    // No two pushes of a tier are as close as a millisecond.
    fixture = new PushFixture(PushFixture.settings(1, 0.01));
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    long[] capacities = {400, 400, 405};
    for (int i = 0; i < capacities.length; i++) {
      fixture.offerAndAwait(target("n1", capacities[i], nowMillis + i, Limit.None));
    }

    assertThat(store.resizes).containsExactly(400L, 400L, 405L);
  }

  @Test
  void aTierWhoseDataGrowsIsPushedAgain() throws Exception {
    fixture = new PushFixture(PushFixture.settings(60_000, 0));
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    long nowMillis = System.currentTimeMillis();

    List<Ack> received = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      store.store.write(100);
      received.add(fixture.offerAndAwait(target("n1", 800, nowMillis + i, Limit.Max)));
    }
    assertThat(store.resizes).containsExactly(800L, 800L, 800L, 800L);
    assertThat(received).extracting(Ack::usedBytes).containsExactly(100L, 200L, 300L, 400L);
  }

  @Test
  void aPartialPushIsRepeated() throws Exception {
    fixture = new PushFixture(PushFixture.settings(60_000, 0));
    RecordingStore store = new RecordingStore();
    store.store.write(800);
    store.store.pin(700);
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    await().until(() -> !fixture.acks.isEmpty());

    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Partial);
    fixture.offer(target("n1", 400));

    await().until(() -> store.resizes.size() == 2);
  }
}
