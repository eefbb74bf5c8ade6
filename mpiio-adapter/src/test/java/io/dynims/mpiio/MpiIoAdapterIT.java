package io.dynims.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real agent, and programs that read and write through its cache. */
class MpiIoAdapterIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long MIN_BYTES = 8 * MEBIBYTE;
  private static final long MAX_BYTES = 64 * MEBIBYTE;
  private static final long LARGE_BYTES = 512 * MEBIBYTE;
  private static final long SMALL_BYTES = 128 * MEBIBYTE;

  /** What the arena has besides its blocks. */
  private static final long OVERHEAD_BYTES = 8 * MEBIBYTE;

  @TempDir private Path folder;

  private AgentProcess agent;
  private LimitedTier tier;

  private void start(long maxBytes, String... options) throws Exception {
    start(maxBytes, maxBytes, options);
  }

  private void start(long arenaBytes, long maxBytes, String... options) throws Exception {
    agent = new AgentProcess(arenaBytes, options);
    tier =
        new LimitedTier(
            new LimitedSettings(
                "mpiio",
                new CapacityBounds(MIN_BYTES, maxBytes),
                TimeUnit.MILLISECONDS.toNanos(300)),
            new MpiIoAgent(agent.settings(), maxBytes),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
  }

  @AfterEach
  void end() throws Exception {
    if (tier != null) {
      tier.close();
    }
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void givesMemoryBackWhileAProgramReads() throws Exception {
    start(LARGE_BYTES);
    Path file = AgentProcess.file(folder, "data", LARGE_BYTES);
    agent.fill(file);
    Process reader = agent.filling(file, "--loop");
    try {
      await().until(() -> tier.status().occupiedBytes() > LARGE_BYTES * 3 / 4);
      long beginNanos = System.nanoTime();
      tier.resize(SMALL_BYTES);
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> tier.status().occupiedBytes() <= SMALL_BYTES + OVERHEAD_BYTES);
      System.out.printf(
          Locale.ROOT,
          "%s: 512 to 128 MiB resident in %.3f s while a program reads%n",
          tier.status().storeVersion(),
          (System.nanoTime() - beginNanos) / 1e9);

      assertThat(reader.isAlive()).isTrue();
      assertThat(tier.status().capacityBytes()).isEqualTo(SMALL_BYTES);
      tier.resize(LARGE_BYTES);
      await().until(() -> tier.status().occupiedBytes() > LARGE_BYTES * 3 / 4);
    } finally {
      reader.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsWrittenIsInTheFileBeforeItIsEvicted() throws Exception {
    // Without a resize it would be written after 1,000 s.
    start(MAX_BYTES, "--dirty-age", "1000000");
    Path file = AgentProcess.file(folder, "data", MAX_BYTES / 2);
    agent.fill(file, "--write");
    assertThat(zeroMebibytes(file)).isZero();
    assertThat(metrics())
        .contains("dynims_adapter_dirty_bytes{tier=\"mpiio\"} " + (double) (MAX_BYTES / 2));

    tier.resize(MIN_BYTES);

    await().until(() -> tier.status().usedBytes() <= MIN_BYTES);
    assertThat(tier.status().unevictableBytes()).isZero();
    assertThat(zeroMebibytes(file)).isGreaterThanOrEqualTo((MAX_BYTES / 2 - MIN_BYTES) / MEBIBYTE);
    assertThat(metrics())
        .contains("dynims_adapter_flush_errors_total{tier=\"mpiio\"} 0.0")
        .doesNotContain("dynims_adapter_evicted_blocks_total{tier=\"mpiio\"} 0.0");
  }

  /** How many MiB of a file have been overwritten. */
  private static long zeroMebibytes(Path file) throws IOException {
    byte[] zeros = new byte[(int) MEBIBYTE];
    long count = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (byte[] part = in.readNBytes(zeros.length); part.length > 0; ) {
        count += Arrays.equals(part, zeros) ? 1 : 0;
        part = in.readNBytes(zeros.length);
      }
    }
    return count;
  }

  @Test
  void countsReads() throws Exception {
    start(MAX_BYTES);
    Process reader = agent.filling(AgentProcess.file(folder, "data", MAX_BYTES / 4), "--loop");
    try {
      // A program counts its hits by itself, and adds them up from time to time.
      await()
          .untilAsserted(
              () ->
                  assertThat(metrics())
                      .doesNotContain("read_bytes_total{result=\"hit\",tier=\"mpiio\"} 0.0")
                      .doesNotContain("read_bytes_total{result=\"miss\",tier=\"mpiio\"} 0.0")
                      .contains("dynims_adapter_files{tier=\"mpiio\"} 1.0")
                      .contains("dynims_adapter_ranks{tier=\"mpiio\"} 1.0"));
      await().until(() -> tier.status().hitRatio(), ratio -> ratio != null && ratio > 0.5);
    } finally {
      reader.destroyForcibly().waitFor();
    }
  }

  private String metrics() throws Exception {
    AdapterMetrics metrics = new AdapterMetrics("mpiio");
    tier.register(metrics);
    var unused = tier.status();
    return metrics.scrape();
  }

  @Test
  void setsItsLimitBackWhenSomebodyElseHasChangedIt() throws Exception {
    start(MAX_BYTES);
    tier.resize(MAX_BYTES / 2);

    assertThat(agent.ask("resize " + 3 * MEBIBYTE)).contains("\"capacityBytes\":" + 3 * MEBIBYTE);

    await().until(() -> tier.status().capacityBytes() == MAX_BYTES / 2);
  }

  @Test
  void restoresTheLimitOfAnAgentThatWasKilled() throws Exception {
    start(MAX_BYTES);
    tier.resize(MAX_BYTES / 2);

    agent.kill();
    awaitUnavailable("; start dynims-mpiio-agent --directory " + agent.settings().directory());
    agent.start();

    await().until(() -> tier.status().capacityBytes() == MAX_BYTES / 2);
  }

  @Test
  void doesNotWaitForAnAgentThatHangs() throws Exception {
    start(MAX_BYTES);
    tier.resize(MAX_BYTES / 2);

    agent.signal("STOP");
    awaitUnavailable(" within 2000 ms");
    agent.signal("CONT");

    await().until(() -> tier.status().capacityBytes() == MAX_BYTES / 2);
  }

  private void awaitUnavailable(String reason) {
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(tier::status)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith(agent.settings().controlSocket().toString())
                    .hasMessageContaining(reason));
  }

  @Test
  void aSmallerArenaIsTheMost() throws Exception {
    start(MAX_BYTES / 2, MAX_BYTES);

    assertThat(tier.resize(MAX_BYTES).capacityBytes()).isEqualTo(MAX_BYTES / 2);
  }

  @Test
  void withoutAnAdapterTheAgentGoesDownToItsRest() throws Exception {
    start(MAX_BYTES, "--rest", "16MiB", "--control-timeout", "1000");
    tier.resize(MAX_BYTES / 2);
    tier.close();

    Awaitility.await()
        // Asking is what keeps the limit.
        .pollInterval(Duration.ofSeconds(3))
        .until(() -> agent.ask("status").contains("\"capacityBytes\":" + 16 * MEBIBYTE));
  }

  /** A slow machine is no error, and an agent that has just been started is away for a while. */
  private static ConditionFactory await() {
    return Awaitility.await().ignoreException(StoreUnavailableException.class);
  }
}
