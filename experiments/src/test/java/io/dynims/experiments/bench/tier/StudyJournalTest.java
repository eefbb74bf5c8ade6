package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.bench.ResultJournal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyJournalTest {

  private static final StudyCell CELL =
      new StudyCell(AccessKind.S3, true, false, false, 1 << 20, 1, 0, StudyState.Rest);

  @TempDir private Path folder;

  @Test
  void aCellThatWasMeasuredIsFoundAgain() throws Exception {
    Path file = folder.resolve("study.jsonl");
    Repetitions repetitions = new Repetitions(CELL);
    repetitions.add(List.of(new AccessOutcome(1, 2, 3, new float[] {4}, List.of(), 0, null)));

    new ResultJournal<>(file, "a commit", CellResult.class, CellResult::id)
        .add(repetitions.result());
    // As a crash leaves it.
    Files.writeString(file, "\n{\"id\":\"tm", StandardOpenOption.APPEND);

    CellResult found =
        new ResultJournal<>(file, "a commit", CellResult.class, CellResult::id)
            .find(CELL.id())
            .orElseThrow();
    assertThat(found.bytes()).containsExactly(1L << 20);
    assertThat(found.accessSeconds()).containsExactly(2.0);
    assertThat(found.allSeconds()).containsExactly(6.0);
    assertThat(found.error()).isNull();
  }
}
