package io.dynims.experiments.bench.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import io.dynims.experiments.bench.resize.FullTier.Shrink;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.PlantedFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotReadersTest {

  private static final long SEED = 7;

  @TempDir private Path folder;

  /** Of whatever slice: the first one is that of the goals of speed. */
  @Test
  void oneWrongByteThatTheyReadFailsTheBenchmark() throws Exception {
    SliceResult shipped = new SliceResult(64 << 20);
    shipped.add(100, new Shrink(80, 1));
    shipped.addLimit(new Shrink(100, 1));
    SliceResult other = new SliceResult(8 << 20);
    try (HotReaders readers = new HotReaders(PlantedFiles.dataSet(SEED, 3), 1, SEED)) {
      readers.read(other.resizing());
      assertThat(Await.until(60_000, 20, () -> readers.wrong() > 0)).isTrue();
      other.addWrong(readers.wrong());
    }

    Outcome outcome =
        Commands.report(
            new ResizeFindings(
                    1 << 30, new ResizeOptions(1, List.of(8L << 20)), List.of(shipped, other))
                .findings(),
            folder);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("failed reads, or reads with a wrong byte, with any slice");
  }

  @Test
  void rightBytesDoNot() throws Exception {
    SliceResult shipped = new SliceResult(64 << 20);
    try (HotReaders readers = new HotReaders(PlantedFiles.dataSet(SEED, 0), 3, SEED)) {
      readers.read(shipped.rest());
      assertThat(Await.until(60_000, 20, () -> shipped.rest().millis().count() > 3)).isTrue();
      assertThat(readers.wrong()).isZero();
    }

    assertThat(
            Commands.report(
                    new ResizeFindings(1 << 30, new ResizeOptions(1, List.of()), List.of(shipped))
                        .findings(),
                    folder)
                .exitCode())
        .isZero();
  }
}
