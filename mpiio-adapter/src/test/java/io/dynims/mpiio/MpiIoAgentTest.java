package io.dynims.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent's side is played by {@link FakeAgent}. */
class MpiIoAgentTest {

  private static final long MEBIBYTE = 1L << 20;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir private Path folder;

  private MpiIoSettings settings;
  private FakeAgent fake;
  private MpiIoAgent agent;

  @BeforeEach
  void startFake() throws Exception {
    settings = new MpiIoSettings(folder.resolve("cache"));
    fake = new FakeAgent(settings);
    agent = new MpiIoAgent(settings, 64 * MEBIBYTE, LONG);
  }

  @AfterEach
  void close() throws Exception {
    if (agent != null) {
      agent.close();
    }
    if (fake != null) {
      fake.close();
    }
  }

  @Test
  void tellsWhatTheAgentTells() throws Exception {
    agent.connect();

    assertThat(agent.read())
        .isEqualTo(
            new StoreReading(
                32 * MEBIBYTE,
                20 * MEBIBYTE,
                21 * MEBIBYTE,
                2_000_000,
                30,
                10,
                "dynims-mpiio-agent 0.1.0"));
  }

  @Test
  void ignoresWhatItDoesNotKnow() throws Exception {
    fake.answer(request -> FakeAgent.STATUS.replace("}", ",\"more\":{\"a\":[1]}}"));
    agent.connect();

    assertThat(agent.read().limitBytes()).isEqualTo(32 * MEBIBYTE);
  }

  @Test
  void takesWholeBlocksAndStepsUntilTheGoalIsReached() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    fake.answer(
        request ->
            request.equals("status")
                ? FakeAgent.STATUS
                : FakeAgent.resized(left.decrementAndGet() == 0));
    agent.connect();

    assertThat(agent.rounded(3 * MEBIBYTE - 1)).isEqualTo(2 * MEBIBYTE);
    assertThat(agent.rounded(3 * MEBIBYTE)).isEqualTo(3 * MEBIBYTE);
    assertThat(agent.step(2 * MEBIBYTE)).isFalse();
    assertThat(agent.step(2 * MEBIBYTE)).isFalse();
    assertThat(agent.step(2 * MEBIBYTE)).isTrue();
    assertThat(fake.requests()).contains("resize 2097152");
  }

  @Test
  void aReadingDoesNotWaitForAStep() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    fake.answer(
        request -> {
          if (request.equals("status")) {
            return FakeAgent.STATUS;
          }
          entered.countDown();
          awaitUninterruptibly(leave);
          return FakeAgent.resized(true);
        });
    agent.connect();
    CompletableFuture<Boolean> step = CompletableFuture.supplyAsync(this::step);
    entered.await();

    assertThat(agent.read().limitBytes()).isEqualTo(32 * MEBIBYTE);
    assertThat(step).isNotDone();
    leave.countDown();
    assertThat(step.get(1, TimeUnit.MINUTES)).isTrue();
  }

  private boolean step() {
    try {
      return agent.step(MEBIBYTE);
    } catch (StoreUnavailableException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void namesTheSocketAndWhatToStartIfThereIsNoAgent() throws Exception {
    fake.close();

    assertThatThrownBy(agent::connect)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith(settings.controlSocket() + " does not answer: ")
        .hasMessageEndingWith("; start dynims-mpiio-agent --directory " + settings.directory());
  }

  @Test
  void givesUpAnAgentThatHangsAndConnectsAgain() throws Exception {
    agent = new MpiIoAgent(settings, 64 * MEBIBYTE, SHORT);
    awaitReading();
    fake.answer(request -> "");

    assertThatThrownBy(agent::read)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith(
            settings.controlSocket() + " does not answer: no answer to 'status' within 200 ms");
    assertThatThrownBy(() -> agent.step(MEBIBYTE)).hasMessageEndingWith(" is not connected");
    assertThatThrownBy(agent::connect).hasMessageContaining("no answer to 'status'");

    fake.answer(request -> FakeAgent.STATUS);
    awaitReading();
  }

  /** A slow machine may need more than one attempt. */
  private void awaitReading() {
    await()
        .ignoreException(StoreUnavailableException.class)
        .until(
            () -> {
              agent.connect();
              return agent.read().limitBytes() == 32 * MEBIBYTE;
            });
  }

  @Test
  void connectsToAnAgentThatWasStartedAgain() throws Exception {
    agent.connect();
    fake.close();
    assertThatThrownBy(agent::read)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(settings.controlSocket().toString());

    fake = new FakeAgent(settings);
    agent.connect();

    assertThat(agent.read().limitBytes()).isEqualTo(32 * MEBIBYTE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no json | not JSON",
        "{} | AgentStatus: capacityBytes: Missing required creator property",
        "{\"error\":\"unknown request: status\"} | expects: unknown request: status; install",
      })
  void saysWhatIsWrongWithAnAnswer(String answer, String expected) {
    fake.answer(request -> answer);

    assertThatThrownBy(agent::connect)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith(
            settings.controlSocket() + " gives another answer than this adapter expects: ")
        .hasMessageContaining(expected)
        .hasMessageEndingWith("; install the agent and the adapter of the same version");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"usedBytes\":20971520, | '' | usedBytes: Missing required creator property",
        "\"ranks\":4, | '' | ranks: Missing required creator property",
        "\"blockBytes\":1048576 | \"blockBytes\":0 | blockBytes: 0 is below 1",
        "\"hits\":30 | \"hits\":\"many\" | hits:",
      })
  void namesTheFieldThatIsMissingOrWrong(String part, String replacement, String expected) {
    fake.answer(request -> FakeAgent.STATUS.replace(part, replacement));

    assertThatThrownBy(agent::connect).hasMessageContaining("AgentStatus: " + expected);
  }

  @Test
  void asksForTheFieldThatOnlyAResizeHas() throws Exception {
    agent.connect();

    assertThatThrownBy(() -> agent.step(MEBIBYTE)).hasMessageContaining("no field reached");
  }

  @Test
  void refusesAnAnswerWithoutAnEnd() {
    fake.answer(request -> "x".repeat(100_000));

    assertThatThrownBy(agent::connect).hasMessageContaining("more than 65536 bytes");
  }

  @Test
  void theTierTellsWhatCannotBeEvictedButHasNothingThatExistsNowhereElse() throws Exception {
    try (LimitedTier tier =
        new LimitedTier(
            new LimitedSettings(
                "mpiio", new CapacityBounds(0, 64 * MEBIBYTE), TimeUnit.SECONDS.toNanos(4)),
            agent,
            StateFile.open(Optional.empty()),
            null)) {
      tier.start();
      TierStatus status = tier.status();

      assertThat(status.unevictableBytes()).isEqualTo(2_000_000);
      assertThat(status.unpersistedBytes()).isNull();
      assertThat(status.occupiedBytes()).isEqualTo(21 * MEBIBYTE);
    }
  }

  @Test
  void registersTheCountersOfTheAgent() throws Exception {
    AdapterMetrics metrics = new AdapterMetrics("mpiio");
    agent.register(metrics);
    assertThat(metrics.scrape()).contains("dynims_adapter_ranks{tier=\"mpiio\"} NaN");

    agent.connect();

    assertThat(metrics.scrape())
        .contains("dynims_adapter_reads_total{result=\"hit\",tier=\"mpiio\"} 30.0")
        .contains("dynims_adapter_reads_total{result=\"miss\",tier=\"mpiio\"} 10.0")
        .contains("dynims_adapter_reads_total{result=\"bypass\",tier=\"mpiio\"} 5.0")
        .contains("dynims_adapter_read_bytes_total{result=\"hit\",tier=\"mpiio\"} 300.0")
        .contains("dynims_adapter_read_bytes_total{result=\"miss\",tier=\"mpiio\"} 100.0")
        .contains("dynims_adapter_passed_through_total{tier=\"mpiio\"} 6.0")
        .contains("dynims_adapter_evicted_blocks_total{tier=\"mpiio\"} 7.0")
        .contains("dynims_adapter_flushed_bytes_total{tier=\"mpiio\"} 8.0")
        .contains("dynims_adapter_flush_errors_total{tier=\"mpiio\"} 9.0")
        .contains("dynims_adapter_dirty_bytes{tier=\"mpiio\"} 3000000.0")
        .contains("dynims_adapter_files{tier=\"mpiio\"} 2.0")
        .contains("dynims_adapter_ranks{tier=\"mpiio\"} 4.0");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
