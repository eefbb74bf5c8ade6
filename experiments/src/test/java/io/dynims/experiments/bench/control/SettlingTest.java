package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.demo.LoadProcess.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettlingTest {

  private static final long MIB = RecordedRun.MIB;

  private final RecordedRun run = new RecordedRun();

  @Test
  void findsWhereTheLoadStaysAsItIs() {
    assertThat(Settling.stretches(run.reports, RecordedRun.TO))
        .containsExactly(
            new Settling.Stretch(100_000, 104_000),
            new Settling.Stretch(104_100, 108_000),
            new Settling.Stretch(108_000, 112_000));
  }

  @Test
  void aLoadThatMovesALittleStaysAsItIs() {
    List<Report> reports =
        List.of(
            new Report(0, 10 * MIB),
            new Report(500, 13 * MIB),
            new Report(900, 11 * MIB),
            new Report(1_500, 20 * MIB),
            new Report(1_600, 30 * MIB));

    assertThat(Settling.stretches(reports, 2_000)).containsExactly(new Settling.Stretch(0, 1_500));
  }

  @Test
  void aLoadThatAlwaysMovesHasNoStretch() {
    run.reports.clear();
    for (int i = 0; i < 120; i++) {
      run.load(100_000 + 100 * i, 5L * i);
    }

    assertThat(Settling.worstMillis(run.run(ControlLoad.Noise))).isEmpty();
  }

  @Test
  void takesUntilTheCapacityStaysNearWhereItEnds() {
    run.ack(103_900, 1_800);
    run.ack(104_200, 1_500);
    run.ack(104_300, 1_010); // Near its end, but it leaves again.
    run.ack(104_400, 900);
    run.ack(104_600, 1_030);
    run.ack(107_900, 1_000);
    run.ack(108_100, 1_800);
    run.ack(111_900, 1_800);

    assertThat(Settling.worstMillis(run.run(ControlLoad.Step))).hasValue(500);
  }

  @Test
  void aTierThatFillsAsFastAsItCanIsSettled() throws Exception {
    run.ack(103_900, 1_000);
    run.ack(107_900, 1_000);
    run.ack(108_100, 1_000);
    for (int i = 0; i < 10; i++) {
      boolean small = i == 3;
      int mebibytes = 1_100 + 70 * (small ? 2 : i);
      run.ack(108_250 + 100 * i, mebibytes);
      run.target(108_250 + 100 * i, mebibytes, small ? "DeadBand" : "HeadStart");
    }
    run.ack(111_900, 1_800);

    assertThat(Settling.worstMillis(run.run(ControlLoad.Step))).hasValue(250);
  }

  @Test
  void aCapacityThatWasThereAlreadyTakesNoTime() {
    run.ack(103_900, 1_000);
    run.ack(107_900, 1_000);
    run.ack(111_900, 1_000);

    assertThat(Settling.worstMillis(run.run(ControlLoad.Step))).hasValue(0);
  }

  @Test
  void aCapacityThatDoesNotStayCountsWithTheWholeStretch() {
    run.ack(103_900, 1_000);
    run.ack(107_900, 1_000);
    for (int i = 1; i <= 20; i++) {
      run.ack(108_000 + 199 * i, i % 2 == 0 ? 1_800 : 1_000);
    }

    assertThat(Settling.worstMillis(run.run(ControlLoad.Step))).hasValue(4_000);
  }
}
