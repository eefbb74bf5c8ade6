package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicInteger slowPolls = new AtomicInteger();
  private volatile boolean failing;

  private final Reconciler.Subject subject =
      new Reconciler.Subject() {
        @Override
        public boolean reconcile() {
          rounds.incrementAndGet();
          if (failing) {
            throw new IllegalStateException("a bug");
          }
          return true;
        }

        @Override
        public void slowPoll() {
          slowPolls.incrementAndGet();
        }
      };
  private Reconciler reconciler = new Reconciler(subject);

  @AfterEach
  void stop() throws InterruptedException {
    reconciler.stop(TIMEOUT_NANOS);
  }

  @Test
  void reconcilesAtOnceWhenWoken() {
    // Left alone, it would start no second round.
    reconciler = new Reconciler(subject, TimeUnit.DAYS.toNanos(1));
    reconciler.start();
    await().until(() -> rounds.get() == 1);

    for (int round = 2; round <= 20; round++) {
      reconciler.wake();
      int expected = round;
      await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> rounds.get() >= expected);
    }
    assertThat(rounds).hasValue(20);
  }

  @Test
  void continuesAfterAFailure() {
    failing = true;
    reconciler.start();
    await().until(() -> rounds.get() > 2);
    assertThat(slowPolls).hasValue(0);

    failing = false;
    await().until(() -> slowPolls.get() > 0);
  }

  @Test
  void doesNothingAfterItIsStopped() throws InterruptedException {
    reconciler.start();
    await().until(() -> rounds.get() > 0);
    reconciler.stop(TIMEOUT_NANOS);
    int before = rounds.get();

    reconciler.wake();

    await().during(50, TimeUnit.MILLISECONDS).until(() -> rounds.get() == before);
  }
}
