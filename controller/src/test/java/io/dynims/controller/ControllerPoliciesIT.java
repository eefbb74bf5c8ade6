package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.wire.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies and topics of a controller with a real Kafka broker. */
class ControllerPoliciesIT {

  @TempDir Path folder;

  @AutoClose private ControllerFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new ControllerFixture(folder);
  }

  @Test
  void missingTopicsAreCreatedAndThePolicyTopicIsCompacted() throws Exception {
    fixture.broker.createTopic(Topics.TARGETS, 3, Map.of());
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();

    try (Admin admin = fixture.broker.admin()) {
      var names = List.of(Topics.METRICS, Topics.POLICIES, Topics.TARGETS, Topics.ACKS);
      var topics = admin.describeTopics(names).allTopicNames().get();
      assertThat(topics.get(Topics.TARGETS).partitions()).hasSize(3);
      assertThat(topics.get(Topics.METRICS).partitions()).hasSize(2);
      var policies = new ConfigResource(ConfigResource.Type.TOPIC, Topics.POLICIES);
      assertThat(
              admin
                  .describeConfigs(List.of(policies))
                  .all()
                  .get()
                  .get(policies)
                  .get("cleanup.policy")
                  .value())
          .isEqualTo("compact");
    }
  }

  @Test
  void policiesArePublishedAndWithdrawnEvenAcrossARestart() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.writePolicies("b.yaml", document("n2", fixture.adapter.uri(), "Recommend", "1000"));
    fixture.writePolicies("c.yaml", document("n3", fixture.adapter.uri(), "Recommend", "1000"));
    fixture.startController();
    await()
        .until(
            () ->
                fixture
                    .publishedPolicies()
                    .keySet()
                    .containsAll(List.of("n1/memory", "n2/memory")));

    fixture.deletePolicies("b.yaml");
    await().until(() -> !fixture.publishedPolicies().containsKey("n2/memory"));

    fixture.stopController();
    fixture.deletePolicies("c.yaml");
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Off", "800"));
    fixture.startController();

    await().until(() -> fixture.publishedPolicies().keySet().equals(Set.of("n1/memory")));
    assertThat(
            ControllerFixture.JSON
                .readTree(fixture.publishedPolicies().get("n1/memory"))
                .get("maxBytes")
                .asLong())
        .isEqualTo(800);
  }

  @Test
  void anEmptiedFolderWithdrawsNothingForSomeTimeEvenAcrossARestart() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController("--policies.withdrawal.delay=1h");
    fixture.send(target("n1", 200));
    await().until(() -> fixture.store.status().capacityBytes() == 200);

    fixture.deletePolicies("a.yaml");
    await().until(() -> !fixture.json("/api/v1/policies").get("warnings").isEmpty());
    assertThat(fixture.json("/api/v1/policies").at("/warnings/0/reason").asText())
        .contains("withdrawn if that lasts for policies.withdrawal.delay");
    assertThat(fixture.get("/metrics").body()).contains("dynims_policies_withdrawal_delayed 1.0");
    assertThat(fixture.publishedPolicies()).containsOnlyKeys("n1/memory");

    fixture.stopController();
    fixture.startController("--policies.withdrawal.delay=1h");
    assertThat(fixture.publishedPolicies()).containsOnlyKeys("n1/memory");
    assertThat(fixture.store.status().capacityBytes()).isEqualTo(200);

    fixture.stopController();
    fixture.startController("--policies.withdrawal.delay=1s");
    await().until(() -> fixture.publishedPolicies().isEmpty());
  }

  @Test
  void anInvalidDocumentIsRejectedAndItsLastValidVersionStaysInEffect() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    await().until(() -> fixture.publishedPolicies().containsKey("n1/memory"));

    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "many"));
    await().until(() -> fixture.json("/api/v1/policies").get("errors").size() == 1);

    JsonNode policies = fixture.json("/api/v1/policies");
    assertThat(policies.get("errors").get(0).get("field").asText()).isEqualTo("spec.capacity.max");
    assertThat(policies.get("policies").get(0).get("maxBytes").asLong()).isEqualTo(1_000);
    assertThat(fixture.get("/metrics").body()).contains("dynims_policies_refused 1.0");
    fixture.send(target("n1", 200));
    await().until(() -> fixture.store.status().capacityBytes() == 200);
    assertThat(fixture.publishedPolicies()).containsOnlyKeys("n1/memory");
  }
}
