package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PusherTest {

  private static final String MAX = "1000";

  private final PushFixture fixture = new PushFixture(PushFixture.settings(0, 0));

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  void aTargetIsAppliedAndAcknowledged() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    Target target = target("n1", 400);
    fixture.offer(target);

    Ack ack = fixture.awaitAck("n1", 400, AckStatus.Applied);
    assertThat(ack.capacityBytes()).isEqualTo(400);
    assertThat(ack.sampledMillis()).isEqualTo(target.sampledMillis());
    assertThat(store.store.status().capacityBytes()).isEqualTo(400);
  }

  @Test
  void aCapacityOtherThanTheDesiredOneIsPartial() throws Exception {
    RecordingStore store = new RecordingStore();
    store.store.write(800);
    store.store.pin(700);
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    fixture.offer(target("n1", 400));

    Ack ack = fixture.awaitAck("n1", 400, AckStatus.Partial);
    assertThat(ack.capacityBytes()).isEqualTo(700);
    assertThat(ack.message()).contains("300 bytes");
  }

  @Test
  void whileOneRequestIsInFlightTheLatestTargetWins() throws Exception {
    RecordingStore store = new RecordingStore();
    store.permits.drainPermits();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    fixture.offer(target("n1", 100));
    await().until(() -> store.resizes.size() == 1);
    for (long bytes = 101; bytes <= 200; bytes++) {
      fixture.offer(target("n1", bytes));
    }
    store.permits.release(1_000);

    fixture.awaitAck("n1", 200, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(100L, 200L);
  }

  @Test
  void aFloodIsPushedAtMostTenTimesInNineIntervals() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    long startNanos = System.nanoTime();
    fixture.offerEachMilli(
        LongStream.rangeClosed(1, 500).mapToObj(bytes -> target("n1", bytes)).iterator());
    fixture.awaitAck("n1", 500, AckStatus.Applied);

    long ninetyMillis = (System.nanoTime() - startNanos) / 90_000_000;
    assertThat((long) store.resizes.size()).isBetween(1L, ninetyMillis + 3);
  }

  @Test
  void anUnresponsiveAdapterTimesOutAndDelaysNoOther() throws Exception {
    RecordingStore store = new RecordingStore();
    try (ServerSocket dead = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      fixture.apply(
          document("dead", URI.create("http://127.0.0.1:" + dead.getLocalPort()), "Enforce", MAX),
          document("n1", fixture.serve(store), "Enforce", MAX));

      fixture.offer(target("dead", 1));
      for (long bytes = 300; bytes < 303; bytes++) {
        fixture.offer(target("n1", bytes));
        fixture.awaitAck("n1", bytes, AckStatus.Applied);
      }
      await().until(() -> fixture.stateReason("dead") != null);

      await()
          .untilAsserted(
              () ->
                  assertThat(fixture.stateReason("dead"))
                      .contains("did not answer within 1000 ms"));
      assertThat(fixture.acks)
          .filteredOn(ack -> ack.node().equals("dead"))
          .allMatch(ack -> ack.capacityBytes() == null);
    }
  }

  @Test
  void aLostAdapterIsAFailedAckThatTellsNoCapacity() throws Exception {
    TierServer server = fixture.server(new RecordingStore());
    fixture.apply(document("n1", server.uri(), "Enforce", MAX));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);

    server.close();
    fixture.offer(target("n1", 300));

    Ack ack = fixture.awaitAck("n1", 300, AckStatus.Failed);
    assertThat(ack.capacityBytes()).isNull();
    assertThat(ack.message()).contains(server.uri().toString());
  }

  @Test
  void anUnavailableStoreIsReportedInItsOwnWords() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);
    store.store.setAway(true);

    fixture.offer(target("n1", 300));

    assertThat(fixture.awaitAck("n1", 300, AckStatus.Failed).message()).contains("told to be away");
  }

  @Test
  void aTierThatIsUnconfirmedIsAskedAndNotPushed() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    fixture.offer(target("n1", 400));
    fixture.awaitAck("n1", 400, AckStatus.Applied);
    store.store.resize(300);

    fixture.offer(target("n1", 500, System.currentTimeMillis(), Limit.Unconfirmed));

    fixture.awaitAck("n1", 300, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(400L);
  }

  @Test
  void whatAnotherShrankIsNotGrownByADecisionThatDoesNotKnow() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    store.store.resize(50);

    fixture.offer(target("n1", 400));

    fixture.awaitAck("n1", 50, AckStatus.Applied);
    fixture.offer(target("n1", 40));
    fixture.awaitAck("n1", 40, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(40L);
  }

  @Test
  void staleAndOldDecisionsAreNotPushed() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    fixture.offer(target("n1", 1, System.currentTimeMillis(), Limit.Stale));
    fixture.offer(target("n1", 2, System.currentTimeMillis() - 60_000, Limit.None));
    fixture.offer(target("n1", 3));

    fixture.awaitAck("n1", 3, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(3L);
  }

  @Test
  void aWithdrawnTierIsNotPushed() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));
    fixture.offer(target("n1", 1));
    fixture.awaitAck("n1", 1, AckStatus.Applied);

    fixture.apply();
    fixture.offer(target("n1", 2));
    fixture.apply(document("n2", fixture.serve(new RecordingStore()), "Enforce", MAX));
    fixture.offer(target("n2", 3));

    fixture.awaitAck("n2", 3, AckStatus.Applied);
    assertThat(store.resizes).containsExactly(1L);
  }
}
