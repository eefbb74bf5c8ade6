package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BurstProcessTest {

  private static final long MIB = 1L << 20;
  private static final long PEAK = 192 * MIB;

  @Test
  void allocatesRealMemoryAndFreesIt() throws Exception {
    // A slow release: the last chunk is held for a while after the others are freed.
    var shape = new BurstProcess.Shape(PEAK, 512 * MIB, 500, 32 * MIB);
    try (BurstProcess burst = new BurstProcess(shape)) {
      await().atMost(Duration.ofSeconds(30)).until(() -> burst.heldBytes() == PEAK);
      assertThat(residentBytes(burst.pid())).isGreaterThan(PEAK);

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> burst.fallingMillis() > 0 && burst.heldBytes() <= PEAK / 3);
      assertThat(residentBytes(burst.pid())).isLessThan(PEAK);

      await().atMost(Duration.ofSeconds(30)).until(() -> !burst.isAlive());
      assertThat(burst.heldBytes()).isZero();
      assertThat(burst.risingMillis()).isPositive().isLessThanOrEqualTo(burst.risenMillis());
      assertThat(burst.fallingMillis()).isGreaterThanOrEqualTo(burst.risenMillis());
      assertThat(burst.fallenMillis()).isGreaterThanOrEqualTo(burst.fallingMillis());
    }
  }

  @Test
  void exitsWhenItsInputEnds() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                Path.of(
                        MemoryBurst.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString(),
                MemoryBurst.class.getName(),
                "" + 8 * MIB,
                "" + 64 * MIB,
                "3600000",
                "" + 64 * MIB)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      process.getOutputStream().close();

      await().atMost(Duration.ofSeconds(30)).until(() -> !process.isAlive());
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static long residentBytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }
}
