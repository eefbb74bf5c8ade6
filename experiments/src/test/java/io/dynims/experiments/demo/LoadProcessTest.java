package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoadProcessTest {

  private static final long MIB = 1L << 20;
  private static final long PEAK = 192 * MIB;

  /** What it holds is looked at while it stays: a test that comes late sees it, too. */
  @Test
  void allocatesRealMemory() throws Exception {
    LoadProfile profile = LoadProfile.startingAt(0).then(400, PEAK).then(60_000, PEAK);
    try (LoadProcess burst = new LoadProcess(profile)) {
      await().until(() -> burst.heldBytes() == PEAK);
      assertThat(residentBytes(burst.pid())).isGreaterThan(PEAK);
    }
  }

  @Test
  void freesMemory() throws Exception {
    LoadProfile profile =
        LoadProfile.startingAt(PEAK).then(100, PEAK).then(400, PEAK / 3).then(60_000, PEAK / 3);
    try (LoadProcess burst = new LoadProcess(profile)) {
      await().until(() -> burst.fallingMillis() > 0 && burst.heldBytes() <= PEAK / 3);
      assertThat(residentBytes(burst.pid())).isLessThan(PEAK);
    }
  }

  @Test
  void reportsWhenItRoseAndFell() throws Exception {
    LoadProfile profile =
        LoadProfile.startingAt(0).then(400, PEAK).then(100, PEAK).then(0, PEAK / 2).then(400, 0);
    try (LoadProcess burst = new LoadProcess(profile)) {
      await().until(() -> !burst.isAlive());
      assertThat(timesAtPeak(burst)).isOne();
      assertThat(burst.heldBytes()).isZero();
      assertThat(burst.reports().get(0).bytes()).isZero();
      assertThat(burst.risenMillis()).isGreaterThan(burst.reports().get(0).millis());
      assertThat(burst.fallingMillis()).isGreaterThanOrEqualTo(burst.risenMillis());
      assertThat(burst.fallenMillis()).isGreaterThanOrEqualTo(burst.fallingMillis());
    }
  }

  @Test
  void freesMemoryThatItTookAfterFreeingSome() throws Exception {
    LoadProfile profile =
        LoadProfile.startingAt(PEAK)
            .then(200, PEAK)
            .then(0, 0)
            .then(200, 0)
            .then(0, PEAK)
            .then(200, PEAK)
            .then(0, 0)
            .then(60_000, 0);
    try (LoadProcess load = new LoadProcess(profile)) {
      await().until(() -> timesAtPeak(load) == 2);
      await().until(() -> load.heldBytes() == 0);
      assertThat(residentBytes(load.pid())).isLessThan(PEAK / 2);
    }
  }

  @Test
  void visitsEveryPointHoweverLate() throws Exception {
    LoadProfile tooFast =
        LoadProfile.startingAt(PEAK).then(1, 0).then(1, PEAK).then(1, 0).then(0, PEAK).then(1, 0);
    try (LoadProcess load = new LoadProcess(tooFast)) {
      await().until(() -> !load.isAlive());
      assertThat(timesAtPeak(load)).isEqualTo(3);
      assertThat(load.heldBytes()).isZero();
    }
  }

  @Test
  void exitsWhenItsInputEnds() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                Path.of(
                        MemoryLoad.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString(),
                MemoryLoad.class.getName(),
                "0:" + 8 * MIB,
                "3600000:" + 8 * MIB)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      process.getOutputStream().close();

      await().until(() -> !process.isAlive());
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static long timesAtPeak(LoadProcess load) {
    return load.reports().stream().filter(report -> report.bytes() == PEAK).count();
  }

  private static long residentBytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }
}
