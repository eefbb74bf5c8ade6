package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The collectd reader and {@link SendOnDelta}, which stands for it in Java, leave the same samples
 * out, and are never silent for longer than a heartbeat.
 */
class ReportsByExceptionTest {

  private static final long START = 1_700_000_000_000L;
  private static final long TOTAL = 1_000_000;
  private static final double TOLERANCE = 0.01;
  private static final long TICK_MILLIS = 100;
  private static final int SAMPLES = 2_000;
  private static final int TICKS_OF_A_HEARTBEAT =
      (int) (SendOnDelta.DEFAULT_HEARTBEAT_MILLIS / TICK_MILLIS);

  private record Sample(long atMillis, long availableBytes, long stalledMicros) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bothSendTheSameAndAtLeastOneEachHeartbeat(long seed) throws Exception {
    List<Sample> samples = samples(new Random(seed), false);

    List<Boolean> sent = inJava(samples);

    assertThat(inPython(samples)).isEqualTo(sent);
    assertThat(mostLeftOut(sent)).isLessThan(TICKS_OF_A_HEARTBEAT);
  }

  /** The reader goes by a clock that is never set, so this is about the Java class alone. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isNeverSilentForLongerThanAHeartbeatWhenItsClockIsSet(long seed) {
    List<Boolean> sent = inJava(samples(new Random(seed), true));

    assertThat(mostLeftOut(sent)).isLessThanOrEqualTo(TICKS_OF_A_HEARTBEAT);
  }

  /** The most samples in a row that were left out. */
  private static int mostLeftOut(List<Boolean> sent) {
    int most = 0;
    int left = 0;
    for (boolean each : sent) {
      left = each ? 0 : left + 1;
      most = Math.max(most, left);
    }
    return most;
  }

  /**
   * A calm node, at times a busy one.
   *
   * @param clockIsSet whether its clock is set forward and back by up to a minute
   */
  private static List<Sample> samples(Random random, boolean clockIsSet) {
    List<Sample> samples = new ArrayList<>();
    long atMillis = START;
    long availableBytes = TOTAL / 2;
    long stalledMicros = 0;
    for (int i = 0; i < SAMPLES; i++) {
      boolean isSet = clockIsSet && random.nextInt(50) == 0;
      long jitterMillis = random.nextInt(5) - 2L;
      atMillis += TICK_MILLIS + jitterMillis + (isSet ? random.nextInt(120_000) - 60_000 : 0);
      availableBytes += random.nextInt(20) == 0 ? random.nextInt(40_000) - 20_000 : 0;
      stalledMicros += random.nextInt(100) == 0 ? 50_000 : 0;
      samples.add(new Sample(atMillis, availableBytes, stalledMicros));
    }
    return samples;
  }

  private static List<Boolean> inJava(List<Sample> samples) {
    SendOnDelta node = new SendOnDelta(TOLERANCE, SendOnDelta.DEFAULT_HEARTBEAT_MILLIS);
    return samples.stream()
        .map(
            sample ->
                node.report(
                        new MemoryReading(
                            "n1",
                            sample.atMillis(),
                            MemoryReading.WHOLE,
                            TOTAL,
                            sample.availableBytes(),
                            null,
                            sample.stalledMicros()))
                    != null)
        .toList();
  }

  private static List<Boolean> inPython(List<Sample> samples) throws Exception {
    Process python =
        new ProcessBuilder(
                "python3",
                "src/test/resources/memory/reports.py",
                "collectd",
                Double.toString(SendOnDelta.DEFAULT_HEARTBEAT_MILLIS / 1_000.0),
                Double.toString(TOLERANCE))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var stdin = python.outputWriter(UTF_8)) {
      for (Sample sample : samples) {
        stdin.write(
            "%d %d %d %d%n"
                .formatted(
                    sample.atMillis() * 1_000_000,
                    TOTAL,
                    sample.availableBytes(),
                    sample.stalledMicros()));
      }
    }
    String said = new String(python.getInputStream().readAllBytes(), UTF_8);
    assertThat(python.waitFor()).isZero();
    return said.lines().map("1"::equals).toList();
  }
}
