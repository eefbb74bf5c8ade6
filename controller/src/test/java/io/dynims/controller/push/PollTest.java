package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tiers that are polled instead of pushed to. */
class PollTest {

  private static final String MAX = "1000";

  private final PushFixture fixture = new PushFixture(PushFixture.SETTINGS);

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  @Test
  void aTierWithoutTargetsIsPolledAgainAndAgain() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Enforce", MAX));

    await().until(() -> fixture.acks.size() >= 3);

    assertThat(fixture.acks)
        .allSatisfy(
            ack -> {
              assertThat(ack.status()).isEqualTo(AckStatus.Applied);
              assertThat(ack.desiredBytes()).isEqualTo(1_000);
              assertThat(ack.capacityBytes()).isEqualTo(1_000);
              assertThat(ack.sampledMillis()).as("of no sample").isLessThan(1_000);
            });
    assertThat(store.resizes).as("only with a policy for the guard").allMatch(at -> at == 1_000);
  }

  @Test
  void recommendPollsButNeverPushes() throws Exception {
    RecordingStore store = new RecordingStore();
    fixture.apply(document("n1", fixture.serve(store), "Recommend", MAX));
    await().until(() -> !fixture.acks.isEmpty());

    fixture.offer(target("n1", 400));
    int before = fixture.acks.size();
    await().until(() -> fixture.acks.size() > before + 1);

    assertThat(fixture.acks).allMatch(ack -> ack.capacityBytes() == 1_000);
    assertThat(store.resizes).isEmpty();
  }

  @Test
  void offIsAskedWhatItHoldsAndNeverPushed() throws Exception {
    RecordingStore off = new RecordingStore();
    fixture.apply(
        document("off", fixture.serve(off), "\"Off\"", MAX),
        document("n1", fixture.serve(new RecordingStore()), "Enforce", MAX));

    fixture.offer(target("off", 1));
    await().until(() -> fixture.acks.stream().filter(ack -> ack.node().equals("off")).count() > 1);

    assertThat(fixture.acks).allMatch(ack -> ack.capacityBytes() == 1_000);
    assertThat(off.resizes).isEmpty();
  }

  @Test
  void offIsPolledAtItsIntervalAsNothingElseReportsIt() throws Exception {
    try (PushFixture neverIdle = new PushFixture(PushFixture.settings(0, 0))) {
      neverIdle.apply(
          document("off", neverIdle.serve(new RecordingStore()), "\"Off\"", MAX),
          document("n1", neverIdle.serve(new RecordingStore()), "Recommend", MAX));

      await().until(() -> polls(neverIdle, "off") > 3);

      assertThat(polls(neverIdle, "n1")).as("once, as it begins").isEqualTo(1);
    }
  }

  @Test
  void offThatDoesNotAnswerIsPolledWhenIdle() throws Exception {
    URI nobody;
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + port.getLocalPort());
    }
    try (PushFixture neverIdle = new PushFixture(PushFixture.settings(0, 0))) {
      neverIdle.apply(
          document("away", nobody, "\"Off\"", MAX),
          document("off", neverIdle.serve(new RecordingStore()), "\"Off\"", MAX));

      await().until(() -> polls(neverIdle, "off") > 3);

      assertThat(neverIdle.asked).as("once, as it begins").containsOnlyOnce("away");
    }
  }

  private static long polls(PushFixture fixture, String node) {
    return fixture.acks.stream().filter(ack -> ack.node().equals(node)).count();
  }
}
