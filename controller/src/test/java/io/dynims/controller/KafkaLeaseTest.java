package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.kafka.KafkaLease;
import io.dynims.controller.kafka.KafkaSettings;
import io.dynims.operator.Role;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaLeaseTest {

  /** Nothing listens there. */
  private static final String NO_BROKER = "127.0.0.1:1";

  private final LogLines lines = new LogLines(KafkaLease.class.getName());

  @AfterEach
  void stop() {
    lines.close();
  }

  @Test
  void aStandbyThatCannotTakeTheLeaseSaysWhy() {
    List<Role> roles = new CopyOnWriteArrayList<>();
    KafkaSettings settings = new KafkaSettings(NO_BROKER, Map.of(), 0, 1, 1);
    try (KafkaLease lease = new KafkaLease(settings, "fleet", "first")) {
      lease.start(roles::add);

      await()
          .until(
              () ->
                  lines.seen().stream()
                      .anyMatch(line -> line.startsWith("WARN first cannot take the lease fleet")));
    }
    assertThat(roles).isEmpty();
  }
}
