package io.dynims.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node of 1,000 bytes that may differ by 10 from what it has sent. */
class SendOnDeltaTest {

  private static final long START = 1_700_000_000_000L;

  private final SendOnDelta node = new SendOnDelta(0.01, 500);

  @Test
  void sendsAHeartbeatInSpiteOfJitter() {
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i <= 20; i++) {
      long jitter = i % 3 - 1L;
      if (report(100L * i + jitter, 500, 100L, 0L) != null) {
        sent.add(i);
      }
    }

    assertThat(sent).containsExactly(0, 5, 10, 15, 20);
  }

  @Test
  void sendsWhatDiffersFromWhatWasSentByMoreThanTheTolerance() {
    report(0, 500, 100L, 0L);

    assertThat(report(100, 510, 100L, 0L)).isNull();
    assertThat(report(200, 511, 100L, 0L)).as("a drift adds up").isNotNull();
    assertThat(report(300, 501, 90L, 0L)).isNull();
    assertThat(report(400, 511, 111L, 0L)).as("the tier").isNotNull();
    assertThat(report(500, 511, null, 0L)).as("the tier is not known any more").isNotNull();
    assertThat(report(600, 511, null, null)).as("nor is pressure").isNotNull();
  }

  @Test
  void sendsWhatTellsOfPressure() {
    report(0, 500, 100L, 1_000L);

    assertThat(report(100, 500, 100L, 1_900L)).isNull();
    assertThat(report(200, 500, 100L, 3_100L)).as("more than a hundredth").isNotNull();
  }

  @Test
  void tellsItsFiguresWithEachReport() {
    MemoryReading sent = report(0, 500, 100L, 0L);

    assertThat(sent.isReport()).isTrue();
    assertThat(sent.heartbeatMillis()).isEqualTo(500);
    assertThat(sent.toleranceBytes()).isEqualTo(10);
    assertThat(sent.usedBytes(0)).isEqualTo(500);
    assertThat(sent.tierUse()).isEqualTo(new MemoryReading.TierUse("a", 100));
  }

  private MemoryReading report(long millis, long usedBytes, Long tierBytes, Long stalledMicros) {
    return node.report(
        new MemoryReading(
            "n",
            START + millis,
            MemoryReading.WHOLE,
            1_000,
            1_000 - usedBytes,
            tierBytes == null ? null : new MemoryReading.TierUse("a", tierBytes),
            stalledMicros));
  }
}
