package io.dynims.controller.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Topics;
import io.dynims.testing.KafkaBroker;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

/** A real broker that answers, and that makes no topic as it is wanted. */
class TopicSetupIT {

  @Test
  void namesTheTopicThatABrokerRefuses() throws Exception {
    try (KafkaBroker broker = KafkaBroker.shared()) {
      KafkaSettings settings = settings(broker, 3);
      try (Admin admin = Admin.create(settings.with(Map.of()))) {
        assertThatThrownBy(() -> new TopicSetup(settings).ensure(admin))
            .isInstanceOf(TopicSetup.RefusedException.class)
            .hasMessageContaining(Topics.METRICS + " of 2 partitions, 3 replicas")
            .hasMessageContaining("cannot be made")
            .hasMessageEndingWith("make it by hand");

        new TopicSetup(settings(broker, 1)).ensure(admin);
        new TopicSetup(settings).ensure(admin); // They are there, whoever made them.
      }
    }
  }

  @Test
  void readinessReportsTheRefusal() throws Exception {
    try (KafkaBroker broker = KafkaBroker.shared();
        PolicyPublisher publisher = new PolicyPublisher(settings(broker, 3), policy -> {})) {
      await().until(() -> publisher.failure().contains("cannot be made"));
      assertThat(publisher.failure()).contains("3 replicas");
    }
  }

  private static KafkaSettings settings(KafkaBroker broker, int replication) {
    return new KafkaSettings(broker.bootstrapServers(), Map.of(), 0, 2, replication);
  }
}
