package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

  private static final long MIB = RecordedRun.MIB;

  private final RecordedRun run = new RecordedRun();

  @Test
  void measuresTheNodesMemory() {
    run.memory(101_000, 4_400, 1_800); // Before what is measured.
    run.memory(103_000, 3_800, 1_800);
    run.memory(104_000, 4_100, 1_600);
    run.memory(104_200, 3_900, 1_400);
    run.memory(104_500, 3_700, 1_000);
    run.memory(112_100, 4_400, 100); // After it.

    RunFigures figures = RunFigures.of(run.run(ControlLoad.Step));

    assertThat(figures.peakUtilization()).isEqualTo(1.025);
    assertThat(figures.secondsAboveTotal()).isEqualTo(0.2);
    assertThat(figures.secondsAboveThreshold()).isEqualTo(0.5);
    assertThat(figures.meanUsedBytes()).isEqualTo(1_450 * MIB);
    assertThat(figures.lowestUsedBytes()).isEqualTo(1_000 * MIB);
    assertThat(figures.memoryTotalBytes()).isEqualTo(RecordedRun.BUDGET);
    assertThat(figures.readsCorrect()).isEqualTo(7);
    assertThat(figures.readsWrong()).isEqualTo(1);
  }

  @Test
  void evictionsAreWhatTheTierLosesWhileItsCapacityIsLowered() {
    run.memory(103_000, 0, 1_800);
    run.memory(104_000, 0, 1_500);
    run.memory(105_000, 0, 1_484); // A reader's block is about to replace it.
    run.memory(106_000, 0, 1_500);
    run.memory(107_000, 0, 1_500);
    run.ack(103_000, 1_800);
    run.ack(104_000, 1_500);
    run.ack(105_000, 1_500);
    run.ack(106_000, 1_900);
    run.ack(107_000, 1_700); // Nothing was there to evict.

    RunFigures figures = RunFigures.of(run.run(ControlLoad.Step));

    assertThat(figures.evictedBytes()).isEqualTo(300 * MIB);
    assertThat(figures.filledBytes()).isEqualTo(16 * MIB);
    assertThat(figures.acks()).isEqualTo(5);
  }

  @Test
  void knowsHowFarOtherProgramsMoved() {
    run.memory(102_500, 3_800, 1_800);
    run.memory(103_500, 3_500, 1_500);
    run.memory(105_500, 3_800, 1_000);
    run.memory(106_500, 3_900, 1_000);
    run.memory(110_500, 3_100, 1_000);

    // 2,000 MiB at first, 2,100 later.
    assertThat(RunFigures.of(run.run(ControlLoad.Step)).otherRangeBytes()).isEqualTo(100 * MIB);
  }

  @Test
  void countsDecisionsOfWhatIsMeasured() throws Exception {
    run.target(101_000, 1, "None");
    run.target(103_000, 1, "None");

    assertThat(RunFigures.of(run.run(ControlLoad.Step)).decisions()).isEqualTo(1);
  }

  @Test
  void combinesEachFigureByItself() {
    List<RunFigures> runs = List.of(figures(0.97, 300L), figures(0.95, 900L), figures(0.96, 100L));

    assertThat(RunFigures.median(runs)).isEqualTo(figures(0.96, 300L));
    assertThat(RunFigures.least(runs)).isEqualTo(figures(0.95, 100L));
    assertThat(RunFigures.greatest(runs)).isEqualTo(figures(0.97, 900L));
    assertThat(RunFigures.median(List.of(figures(0.97, null))).settleMillis()).isNull();
  }

  @Test
  void aRunWithoutRecordsHasNoEvictions() {
    RunFigures figures = RunFigures.of(run.run(ControlLoad.Step));

    assertThat(figures.evictedBytes()).isZero();
    assertThat(figures.peakUtilization()).isZero();
  }

  static RunFigures figures(double peakUtilization, Long settleMillis) {
    return new RunFigures(peakUtilization, 0, 0, settleMillis, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
