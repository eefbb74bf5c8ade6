package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.testing.KafkaBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets and acks of a controller with a real Kafka broker. */
class ControllerIT {

  @TempDir Path folder;

  @AutoClose private ControllerFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new ControllerFixture(folder, KafkaBroker.start());
  }

  @Test
  void aTargetInKafkaIsAppliedAndAcknowledgedInKafka() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    try (var acks = fixture.consumer(Topics.ACKS)) {
      // The first ack may be lost while the controller has no connection to Kafka yet. By the next
      // one, the guard has been given its policy, at a time just above that of no sample.
      assertThat(fixture.awaitAck(acks, 1_000).sampledMillis()).isLessThan(1_000);

      Target target = target("n1", 400);
      fixture.send(target);

      Ack ack = fixture.awaitAck(acks, 400);
      assertThat(ack.status()).isEqualTo(AckStatus.Applied);
      assertThat(ack.sampledMillis()).isEqualTo(target.sampledMillis());
      assertThat(fixture.store.status().capacityBytes()).isEqualTo(400);
    }
    assertThat(fixture.json("/api/v1/tiers/n1").get("state").asText()).isEqualTo("Enforcing");
  }

  @Test
  void aMalformedTargetIsSkipped() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    fixture.send(Topics.TARGETS, "n1/memory", new byte[] {'{'});
    fixture.send(Topics.TARGETS, "n1/memory", null);
    String negative = new String(WireCodec.TARGET.encode(target("n1", 300)), UTF_8);
    fixture.send(
        Topics.TARGETS, "n1/memory", negative.replace("Bytes\":300", "Bytes\":-1").getBytes(UTF_8));
    fixture.send(target("nobody", 5));
    fixture.send(target("n1", 300));

    await().until(() -> fixture.store.status().capacityBytes() == 300);
    assertThat(fixture.get("/metrics").body())
        .contains("dynims_targets_malformed_total 3.0", "dynims_targets_unclaimed_total 1.0");
  }

  @Test
  void theControllerSurvivesABrokerOutage() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    fixture.broker.stop();
    await().until(() -> fixture.get("/readyz").statusCode() == 503);
    assertThat(fixture.get("/readyz").body()).contains("Kafka: ");
    await().until(() -> !fixture.get("/metrics").body().contains("dynims_acks_dropped_total 0.0"));
    assertThat(fixture.json("/api/v1/tiers/n1").get("capacityBytes").asLong()).isEqualTo(1_000);
    fixture.writePolicies("b.yaml", document("n2", fixture.adapter.uri(), "Recommend", "1000"));

    fixture.broker.restart();
    await().until(() -> fixture.get("/readyz").statusCode() == 200);
    await().until(() -> fixture.publishedPolicies().containsKey("n2/memory"));
    try (var acks = fixture.consumer(Topics.ACKS)) {
      await()
          .until(
              () -> {
                fixture.send(target("n1", 500));
                return fixture.store.status().capacityBytes() == 500;
              });
      fixture.awaitAck(acks, 500);
    }
  }

  @Test
  void theControllerStartsWithoutKafkaAndConnectsLater() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.broker.stop();
    fixture.deploy();

    await().until(() -> fixture.get("/readyz").body().contains("Kafka: "));
    assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
    fixture.broker.restart();

    await().until(() -> fixture.get("/readyz").statusCode() == 200);
    assertThat(fixture.publishedPolicies()).containsOnlyKeys("n1/memory");
  }
}
