package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.experiments.demo.LoadProfile;
import io.dynims.experiments.demo.LoadProfile.Point;
import io.dynims.experiments.demo.Sizing;
import io.dynims.simulation.TraceRow;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ControlLoadTest {

  private static final long MIB = 1L << 20;
  private static final long TIER_MAX = 2_048 * MIB;

  private static final ControlLoad.Node NODE =
      new ControlLoad.Node(
          TIER_MAX,
          Sizing.of(2_000 * MIB, TIER_MAX, 0.95),
          LongStream.range(0, 3_000)
              .mapToObj(
                  i -> new TraceRow(i * 100, 5_000_000_000L + i * 1_000_000, 125_000_000_000L))
              .toList());

  @ParameterizedTest
  @EnumSource
  void beginsWithALeadInWhichNothingChanges(ControlLoad load) {
    for (boolean quick : new boolean[] {false, true}) {
      List<Point> points = load.profile(NODE, quick).points();

      assertThat(points.get(1)).isEqualTo(new Point(2_000, points.get(0).bytes()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isShorterWhenQuickAndHasTheSamePeakOrLess(ControlLoad load) {
    LoadProfile whole = load.profile(NODE, false);
    LoadProfile quick = load.profile(NODE, true);

    assertThat(quick.durationMillis()).isLessThanOrEqualTo(whole.durationMillis());
    assertThat(peakBytes(quick)).isLessThanOrEqualTo(peakBytes(whole));
    assertThat(whole.durationMillis()).isLessThan(100_000);
  }

  @ParameterizedTest
  @EnumSource
  void leavesRoomForATierAtTheThreshold(ControlLoad load) {
    assertThat(peakBytes(load.profile(NODE, false))).isLessThan(NODE.fullBytes());
  }

  @Test
  void aRampRisesBy320MebibytesASecond() {
    assertThat(ControlLoad.Ramp.profile(NODE, false).points())
        .contains(new Point(2_000, 0), new Point(6_000, 1_280 * MIB));
  }

  @Test
  void noiseStaysWithinOnePercentOfTheMean() {
    long percentBytes = NODE.sizing().budgetBytes() / 100;

    assertThat(ControlLoad.Noise.profile(NODE, false).points())
        .allMatch(point -> point.bytes() >= 0 && point.bytes() <= 2 * percentBytes)
        .extracting(Point::bytes)
        .contains(percentBytes);
    LoadProfile again = ControlLoad.Noise.profile(NODE, false);
    assertThat(ControlLoad.Noise.profile(NODE, false)).isEqualTo(again);
  }

  @Test
  void hpccIsAFortiethOfTheTrace() {
    LoadProfile profile = ControlLoad.Hpcc.profile(NODE, false);

    assertThat(profile.durationMillis()).isEqualTo(77_000);
    assertThat(peakBytes(profile)).isEqualTo(750_000_000 / 40);
  }

  @Test
  void isFoundByItsKey() {
    assertThat(ControlLoad.of("half-empty")).isEqualTo(ControlLoad.HalfEmpty);
    assertThatThrownBy(() -> ControlLoad.of("none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ramp, ramp98, step");
  }

  private static long peakBytes(LoadProfile profile) {
    return profile.points().stream().mapToLong(Point::bytes).max().orElseThrow();
  }
}
