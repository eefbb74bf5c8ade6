package io.dynims.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.ResultJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunJournalTest {

  @TempDir private Path folder;

  private static RunSpec spec(int repetition) {
    return new RunSpec(
        MemorySetup.Elastic,
        DataJob.KMeans,
        400L << 20,
        2,
        75_000_000,
        LawType.DEFAULT,
        "hpcc",
        repetition);
  }

  private static ResultJournal<RunResult> journal(Path file) throws IOException {
    return journal(file, "a commit");
  }

  private static ResultJournal<RunResult> journal(Path file, String tree) throws IOException {
    return new ResultJournal<>(file, tree, RunResult.class, RunResult::id);
  }

  private static RunResult result(RunSpec spec) {
    return new RunResult(
        spec.id(),
        1_000,
        List.of(new RunResult.Iteration(5, 4_000, 200L << 20, 0.5)),
        "ab",
        200L << 20,
        3_000,
        0,
        0,
        List.of(new RunResult.Sample(0, 1, 2, 3, 4)));
  }

  @Test
  void resultsOutliveAnInterruption() throws Exception {
    Path file = folder.resolve("runs.jsonl");
    journal(file).add(result(spec(1)));

    ResultJournal<RunResult> next = journal(file);

    assertThat(next.find(spec(1).id())).contains(result(spec(1)));
    assertThat(next.find(spec(2).id())).isEmpty();
  }

  @Test
  void aResultOfAnotherCommitDoesNotCount() throws Exception {
    Path file = folder.resolve("runs.jsonl");
    journal(file).add(result(spec(1)));

    ResultJournal<RunResult> next = journal(file, "the next commit");

    assertThat(next.find(spec(1).id())).isEmpty();
    assertThat(next.others()).isEqualTo(1);
    assertThat(journal(file).find(spec(1).id())).isPresent();
  }

  @Test
  void aLineThatWasCutOffIsARunToBeMadeAgain() throws Exception {
    Path file = folder.resolve("runs.jsonl");
    journal(file).add(result(spec(1)));
    Files.writeString(file, "\n{\"id\":\"" + spec(2).id(), StandardOpenOption.APPEND);

    ResultJournal<RunResult> next = journal(file);
    assertThat(next.find(spec(2).id())).isEmpty();
    next.add(result(spec(2)));

    ResultJournal<RunResult> last = journal(file);
    assertThat(last.find(spec(1).id())).isPresent();
    assertThat(last.find(spec(2).id())).isPresent();
  }

  @Test
  void theHitRatioIsTheShareThatDidNotNeedTheUnderStore() {
    assertThat(result(spec(1)).hitRatio(400L << 20)).isEqualTo(0.5);
  }

  @Test
  void runsThatDifferHaveDifferentIds() {
    RunSpec elastic = spec(1);
    RunSpec feedback =
        new RunSpec(
            elastic.setup(),
            elastic.job(),
            elastic.dataBytes(),
            elastic.iterations(),
            elastic.storeBytesPerSecond(),
            LawType.Feedback,
            elastic.load(),
            elastic.repetition());
    assertThat(feedback.id()).isNotEqualTo(elastic.id());
    assertThat(spec(2).id()).isNotEqualTo(elastic.id());
  }
}
