package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.cli.plot.LinePlot;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TimingsTest {

  private static final Offset<Double> ONE_IN_A_THOUSAND = within(0.1);

  private final Timings timings = new Timings();

  @Test
  void reportsPercentilesInMilliseconds() {
    for (int millis = 1; millis <= 100; millis++) {
      timings.addMillis(millis);
    }

    Percentiles millis = timings.millis();
    assertThat(millis.p50()).isCloseTo(50, ONE_IN_A_THOUSAND);
    assertThat(millis.p99()).isCloseTo(99, ONE_IN_A_THOUSAND);
    assertThat(millis.max()).isCloseTo(100, ONE_IN_A_THOUSAND);
    assertThat(millis.mean()).isCloseTo(50.5, ONE_IN_A_THOUSAND);
    assertThat(millis.count()).isEqualTo(100);
  }

  @Test
  void keepsMicroseconds() {
    timings.addNanos(1_234_000);

    assertThat(timings.millis().max()).isCloseTo(1.234, within(0.002));
  }

  @Test
  void clampsDurationsToTheRangeFromZeroToAnHour() {
    timings.addMillis(-5);
    timings.addMillis(Long.MAX_VALUE);
    timings.addNanos(Long.MAX_VALUE);

    assertThat(timings.millis().p50()).isCloseTo(3_600_000, within(3_600.0));
    assertThat(timings.millis().count()).isEqualTo(3);
  }

  @Test
  void isEmptyWithoutMeasurements() {
    assertThat(timings.millis()).isEqualTo(Percentiles.NONE);
    assertThat(timings.distribution()).isEmpty();
  }

  @Test
  void plotsTheDistributionOverTheInverseTailProbability() {
    for (int millis = 1; millis <= 1_000; millis++) {
      timings.addMillis(millis);
    }

    List<LinePlot.Point> points = timings.distribution();
    assertThat(points).isSortedAccordingTo((a, b) -> Double.compare(a.x(), b.x()));
    assertThat(points).isSortedAccordingTo((a, b) -> Double.compare(a.y(), b.y()));
    assertThat(points.get(0).x()).isCloseTo(1, within(0.1));
    assertThat(points)
        .filteredOn(p -> p.x() >= 2)
        .first()
        .satisfies(p -> assertThat(p.y()).isCloseTo(500, within(5.0)));
  }

  /** Seen: whoever asked for the percentiles while a reader added one got an exception. */
  @Test
  void canBeAskedWhileOthersAdd() throws Exception {
    AtomicBoolean asked = new AtomicBoolean();
    Thread adding =
        new Thread(
            () -> {
              for (long nanos = 1_000; !asked.get(); nanos += 1_000) {
                timings.addNanos(nanos);
              }
            });
    adding.start();
    try {
      long before = 0;
      for (int i = 0; i < 300; i++) {
        long count = timings.millis().count();
        timings.distribution();
        assertThat(count).isGreaterThanOrEqualTo(before);
        before = count;
      }
    } finally {
      asked.set(true);
      adding.join();
    }
  }
}
