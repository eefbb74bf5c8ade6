package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that takes its time, and one whose limit somebody else sets. */
class LimitedTierTest {

  private static final long MAX_BYTES = 1_000;

  private final SlowStore store = new SlowStore();
  private LimitedTier tier;

  @BeforeEach
  void start() throws Exception {
    tier =
        new LimitedTier(
            new LimitedSettings(
                "slow", new CapacityBounds(0, MAX_BYTES), TimeUnit.MILLISECONDS.toNanos(20)),
            store,
            StateFile.open(Optional.empty()),
            null);
    tier.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    store.mayStep.countDown();
    tier.close();
  }

  @Test
  void reachesAGoalThatWasSetDuringAStepToAnotherOne() throws Exception {
    store.stepsSlowly = true;
    assertThat(tier.resize(400).capacityBytes())
        .as("the first step is not enough")
        .isNotEqualTo(400);
    assertThat(store.stepping.await(10, TimeUnit.SECONDS)).isTrue();

    tier.resize(300);
    store.mayStep.countDown();

    await().until(() -> tier.status().capacityBytes() == 300);
  }

  @Test
  void logsLittleWhileSomebodyElseSetsTheLimitAgainAndAgain() throws Exception {
    try (LogLines lines = new LogLines(LimitedTier.class)) {
      tier.resize(400);
      for (int i = 0; i < 100; i++) {
        store.limitBytes = 900;
        var unused = tier.reconcile();
        assertThat(store.limitBytes).isEqualTo(400);
      }

      assertThat(lines.with("somebody else")).hasSize(1);
    }
  }

  /** Its first step does nothing, and the second one, in the background, waits until it may. */
  private static final class SlowStore implements LimitedStore {

    private final CountDownLatch stepping = new CountDownLatch(1);
    private final CountDownLatch mayStep = new CountDownLatch(1);
    private volatile boolean stepsSlowly;
    private volatile long limitBytes = MAX_BYTES;
    private boolean hasStepped;

    @Override
    public void connect() {}

    @Override
    public StoreReading read() {
      return new StoreReading(limitBytes, 0, 0, 0, 0, "slow 1.0");
    }

    @Override
    public boolean step(long goalBytes) throws InterruptedException {
      if (stepsSlowly && !hasStepped) {
        hasStepped = true;
        TimeUnit.MILLISECONDS.sleep(20);
        return false;
      }
      if (stepsSlowly) {
        stepping.countDown();
        mayStep.await();
      }
      limitBytes = goalBytes;
      return true;
    }

    @Override
    public void close() {}
  }
}
