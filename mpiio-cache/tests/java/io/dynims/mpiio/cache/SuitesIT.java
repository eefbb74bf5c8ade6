package io.dynims.mpiio.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs each suite of {@code tests/run} for a short time; longer ones with its own options. */
final class SuitesIT {

  private static final long LIMIT_SECONDS = 600;

  /** A suite that hangs is ended like one that is interrupted, so that it cleans up. */
  private static final long END_SECONDS = 30;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "stress, 6",
    "model, 30",
    "failing, 30",
    "errors, 0",
    "identity, 15",
    "types, 0",
    "programs, 0",
    "trust, 0",
    "life, 5",
    "restart, 15",
    "kill, 15",
    "shrink, 10",
    "nodes, 20",
    "fuzz, 8"
  })
  void suitePasses(String suite, int seconds) throws IOException, InterruptedException {
    if (suite.equals("trust")) {
      Needs.root("files of another user");
    }
    if (Set.of("errors", "failing", "identity", "life").contains(suite)) {
      boolean hasFuse = Files.isWritable(Path.of("/dev/fuse"));
      Needs.feature(Needs.Feature.Fuse, hasFuse, "a file system that fails");
    }
    Path log = Path.of("target", "suite-" + suite + ".log");
    Process run =
        new ProcessBuilder("tests/run", "--seconds", Integer.toString(seconds), suite)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!run.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      run.destroy();
      run.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(run.waitFor(END_SECONDS, TimeUnit.SECONDS)).as("%s has ended", suite).isTrue();
    assertThat(run.exitValue()).as(Files.readString(log)).isZero();
  }
}
