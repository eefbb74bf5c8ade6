package io.dynims.chaos;

import io.dynims.core.wire.Topics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker is away for longer than a burst lasts, or loses what it had. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class BrokerE2E {

  /** The burst comes at the start of the outage; the rest of it passes after the burst. */
  @ParameterizedTest
  @ValueSource(ints = {30, 300})
  void theNodeIsSafeWhileTheBrokerIsAway(int seconds, ChaosRun chaos) throws Exception {
    long[] beginNanos = {0};
    chaos.run(
        "broker away for " + seconds + " s",
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> {
              beginNanos[0] = System.nanoTime();
              stack.part("kafka").kill();
            },
            stack -> {
              long awayMillis = (System.nanoTime() - beginNanos[0]) / 1_000_000;
              Thread.sleep(Math.max(0, seconds * 1_000L - awayMillis));
              stack.part("kafka").start();
            }));
  }

  @Test
  void theNodeIsSafeWhenTheTopicOfTheSamplesIsDeleted(ChaosRun chaos) throws Exception {
    chaos.run(
        "topic " + Topics.METRICS + " deleted",
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> {
              try (Admin admin =
                  Admin.create(Map.of("bootstrap.servers", stack.settings().kafkaAddress()))) {
                admin.deleteTopics(List.of(Topics.METRICS)).all().get();
              }
            },
            stack -> {}));
  }
}
