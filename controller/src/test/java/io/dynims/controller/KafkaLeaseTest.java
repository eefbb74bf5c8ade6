package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.kafka.KafkaLease;
import io.dynims.controller.kafka.KafkaSettings;
import io.dynims.operator.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KafkaLeaseTest {

  /** Nothing listens there. */
  private static final String NO_BROKER = "127.0.0.1:1";

  private final Logger logger = (Logger) LogManager.getLogger(KafkaLease.class);
  private final Lines lines = new Lines();

  private static final class Lines extends AbstractAppender {

    final List<String> seen = new CopyOnWriteArrayList<>();

    Lines() {
      super("lease-lines", null, null, false, Property.EMPTY_ARRAY);
      start();
    }

    @Override
    public void append(LogEvent event) {
      seen.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
    }
  }

  @BeforeEach
  void listen() {
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.removeAppender(lines);
  }

  @Test
  void aStandbyThatCannotTakeTheLeaseSaysWhy() {
    List<Role> roles = new CopyOnWriteArrayList<>();
    KafkaSettings settings = new KafkaSettings(NO_BROKER, Map.of(), 0, 1, 1);
    try (KafkaLease lease = new KafkaLease(settings, "fleet", "first")) {
      lease.start(roles::add);

      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  lines.seen.stream()
                      .anyMatch(line -> line.startsWith("WARN first cannot take the lease fleet")));
    }
    assertThat(roles).isEmpty();
  }
}
