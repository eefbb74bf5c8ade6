package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a controller with a real Kafka broker. */
class ControllerHistoryIT {

  @TempDir Path folder;

  @AutoClose private ControllerFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new ControllerFixture(folder);
  }

  @Test
  void theHistorySurvivesTheControllerAndTheTargetTopic() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    fixture.send(target("n1", 390));
    await().until(() -> history("1h").equals(List.of(390L)));
    fixture.setClockAhead(60_000);
    await().until(() -> fixture.publishedHistory().equals(List.of(390L)));
    fixture.send(target("n1", 420));
    await().until(() -> history("1h").equals(List.of(420L, 390L)));
    assertThat(fixture.get("/metrics").body())
        .contains("dynims_kafka_lag_records ", "dynims_history_dropped_total 0.0");

    fixture.stopController();
    fixture.send(target("n1", 430));
    fixture.startController();
    await().until(() -> history("1h").equals(List.of(430L, 420L, 390L)));
    assertThat(fixture.json("/api/v1/tiers/n1").has("lastDecision")).isFalse();

    fixture.stopController();
    emptyTargets();
    fixture.startController();
    await().until(() -> history("1h").contains(390L));
    assertThat(history("1s")).isEmpty();
  }

  @Test
  void decisionsMadeWhileNoControllerRanAreKept() throws Exception {
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    fixture.startController();
    fixture.stopController();
    fixture.send(target("n1", 300, System.currentTimeMillis() - 300_000, Limit.None));

    fixture.startController();
    await().until(() -> fixture.publishedHistory().equals(List.of(300L)));
    assertThat(history("1h")).isEqualTo(List.of(300L));
  }

  /** The capacities of the decisions that the API has for a time span, newest first. */
  private List<Long> history(String last) throws Exception {
    List<Long> capacities = new ArrayList<>();
    fixture
        .json("/api/v1/tiers/n1/history?last=" + last)
        .get("decisions")
        .forEach(decision -> capacities.add(decision.get("desiredBytes").asLong()));
    return capacities;
  }

  /** Deletes all targets, as if the retention of their topic were over. */
  private void emptyTargets() throws Exception {
    try (Admin admin = fixture.broker.admin();
        var consumer = fixture.consumer(Topics.TARGETS)) {
      var ends = new HashMap<TopicPartition, RecordsToDelete>();
      consumer
          .endOffsets(consumer.assignment())
          .forEach((partition, end) -> ends.put(partition, RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(ends).all().get();
    }
  }
}
