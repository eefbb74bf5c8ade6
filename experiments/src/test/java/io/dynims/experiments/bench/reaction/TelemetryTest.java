package io.dynims.experiments.bench.reaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.StackException;
import org.junit.jupiter.api.Test;

/** Parsing of collectd's messages and of the controller's metrics. */
class TelemetryTest {

  private static final String METRICS =
      """
      # TYPE dynims_push_seconds histogram
      dynims_push_seconds_bucket{le="0.001"} 3
      dynims_push_seconds_count 40
      dynims_push_seconds_sum 0.125
      dynims_push_seconds_max 0.02
      """;

  @Test
  void returnsEachSamplingTimeOfTheNodeOnce() throws Exception {
    String message =
        "[{\"host\":\"n\",\"time\":1234.5678},{\"host\":\"n\",\"time\":1234.5678},"
            + "{\"host\":\"other\",\"time\":9}]";

    assertThat(LoopTrace.sampledMillis(message.getBytes(UTF_8), "n")).containsExactly(1_234_568L);
  }

  @Test
  void findsASeriesByItsFullName() throws Exception {
    assertThat(PushMeter.value(METRICS, "dynims_push_seconds_sum")).isEqualTo(0.125);
    assertThat(PushMeter.value(METRICS, "dynims_push_seconds_count")).isEqualTo(40);
  }

  @Test
  void namesAMissingSeries() {
    assertThatThrownBy(() -> PushMeter.value(METRICS, "dynims_push_seconds"))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("dynims_push_seconds");
  }
}
