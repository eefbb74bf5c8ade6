package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run of the demo came to, as an exit code. */
class DemoTest {

  private static final long GIB = 1L << 30;
  private static final Extent SHRANK = new Extent(2 * GIB, GIB, 2 * GIB);
  private static final Extent STAYED = new Extent(2 * GIB, 2 * GIB, 2 * GIB);

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void aRunThatShrankAndReadTheRightBytesSucceeds() throws Exception {
    assertThat(conclude(SHRANK, 0)).isZero();
    assertThat(folder.resolve("report.json")).isNotEmptyFile();
  }

  @Test
  void oneWrongByteFailsIt() throws Exception {
    long corrupt;
    try (Readers readers = new Readers(PlantedFiles.dataSet(7, 2), 7)) {
      readers.pace(Readers.UNLIMITED);
      assertThat(Await.until(60_000, 20, () -> readers.corrupt() > 0)).isTrue();
      readers.close();
      corrupt = readers.corrupt();
    }

    assertThat(conclude(SHRANK, corrupt)).isEqualTo(1);
    assertThat(out.toString(UTF_8)).contains("FAILED: " + corrupt + " reads returned wrong bytes");
  }

  @Test
  void soDoesATierThatDidNotShrink() throws Exception {
    assertThat(conclude(STAYED, 0)).isEqualTo(1);
    assertThat(out.toString(UTF_8)).contains("FAILED: the tier did not shrink");
  }

  private int conclude(Extent capacity, long readsCorrupt) throws Exception {
    DemoSettings settings =
        new DemoSettings(
            "n", null, null, Map.of(), null, folder, folder.resolve("report.json"), GIB, 0.95, 1);
    PrintStream printed = new PrintStream(out, true, UTF_8);
    return new Demo(settings, Clock.systemUTC(), printed, false)
        .conclude(JudgeTest.report(capacity, SHRANK, 100, readsCorrupt, 0));
  }
}
