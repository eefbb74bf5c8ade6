package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TimeLeftTest {

  private long nowMillis = 1_000_000;

  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(nowMillis);
        }

        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }
      };

  @Test
  void expectsTheRestToTakeAsLongAsWhatIsDone() {
    TimeLeft left = new TimeLeft(clock, 600_000);
    assertThat(left.text()).isEqualTo("about 16 min left");

    left.done(60_000);
    nowMillis += 120_000;
    assertThat(left.text()).isEqualTo("about 18 min left");

    left.done(510_000);
    nowMillis += 450_000;
    assertThat(left.text()).isEqualTo("about 30 s left");
  }
}
