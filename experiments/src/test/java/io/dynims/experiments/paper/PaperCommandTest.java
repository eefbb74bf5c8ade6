package io.dynims.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.ResultJournal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, on runs that have been made. */
class PaperCommandTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path home;
  private ResultJournal<RunResult> journal;
  private List<RunSpec> specs;

  @BeforeEach
  void plan() throws Exception {
    journal =
        new ResultJournal<>(
            home.resolve("paper/runs.jsonl"),
            ResultJournal.tree(PROJECT),
            RunResult.class,
            RunResult::id);
    Path trace = PROJECT.resolve("experiments/traces/hpcc-recorded.csv");
    specs =
        new PaperPlan(
                PaperScale.QUICK,
                true,
                1,
                PaperPlan.load(HpccTrace.read(trace), PaperScale.QUICK, true),
                List.of(DataJob.values()),
                PaperPlan.QUICK_FIGURES)
            .specs();
  }

  @Test
  void runsWithTheSameResultSucceed() throws Exception {
    keep("abc", 0);

    assertThat(run().exitCode()).isZero();
  }

  /** One wrong byte of the data gives another result. */
  @Test
  void aResultThatDependsOnWhereTheDataWasFailsIt() throws Exception {
    keep("abd", 0);

    Outcome outcome = run();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("jobs whose result depends on where the data was: 1, not 0");
  }

  @Test
  void soDoesAProcessThatWasKilled() throws Exception {
    keep("abc", 1);

    Outcome outcome = run();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("processes killed for want of memory: 1, not 0");
  }

  private Outcome run() {
    return Commands.run(PROJECT, home, "experiment", "paper", "--quick");
  }

  /** Keeps all runs; the first one may be another. */
  private void keep(String digest, long kills) throws Exception {
    for (RunSpec spec : specs) {
      boolean first = spec.equals(specs.get(0));
      journal.add(
          new RunResult(
              spec.id(),
              1,
              List.of(
                  new RunResult.Iteration(0, 1_000, 1 << 20, 0.5),
                  new RunResult.Iteration(1_000, 1_000, 1 << 20, 0.5)),
              first ? digest : "abc",
              2 << 20,
              1_000,
              first ? kills : 0,
              0,
              List.of(
                  new RunResult.Sample(0, 1L << 30, 1 << 28, 1 << 28, 0),
                  new RunResult.Sample(2_000, 1L << 30, 1 << 28, 1 << 28, 1 << 28))));
    }
  }
}
