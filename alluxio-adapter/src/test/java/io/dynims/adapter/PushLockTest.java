package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.PushLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A push while a background round inflates the balloon. */
class PushLockTest {

  private static final long SLICE = 32L << 20;
  private static final long MAX = 64 * SLICE;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(60);

  private final FakeStore store = new FakeStore(MAX);
  private final PushLock lock = new PushLock();

  /** How many requests the store may still answer, and how many it was asked. */
  private final Semaphore permits = new Semaphore(0);

  private final AtomicInteger requests = new AtomicInteger();

  private final Balloon balloon =
      new Balloon(this::openSlowly, store::freeBytes, SLICE, System::nanoTime);

  @Test
  void aPushGetsTheStoreAfterOneSliceOfTheRound() throws Exception {
    CompletableFuture<Balloon.Outcome> round = CompletableFuture.supplyAsync(this::backgroundRound);
    await().until(() -> requests.get() == 1);
    CompletableFuture<Boolean> push = CompletableFuture.supplyAsync(this::push);
    await().until(lock::isPushWaiting);

    permits.release(); // The answer to the slice in progress, and no other.

    assertThat(push.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(round.get(60, TimeUnit.SECONDS)).isEqualTo(Balloon.Outcome.Unfinished);
    assertThat(requests).hasValue(1);
    assertThat(balloon.reservedBytes()).isEqualTo(SLICE);
  }

  @Test
  void aRoundWithoutAPushIsNotCutShort() throws Exception {
    permits.release(1_000);
    assertThat(backgroundRound()).isEqualTo(Balloon.Outcome.Exact);
  }

  @Test
  void aPushDoesNotWaitLongerThanItMay() throws Exception {
    CompletableFuture<Balloon.Outcome> round = CompletableFuture.supplyAsync(this::backgroundRound);
    await().until(() -> requests.get() == 1);

    assertThat(lock.tryLockForPush(1)).isFalse();

    assertThat(lock.isPushWaiting()).isFalse();
    permits.release(1_000);
    round.get(60, TimeUnit.SECONDS);
  }

  private Balloon.Outcome backgroundRound() {
    try {
      lock.lockForBackground();
      try {
        return balloon.resize(MAX, NANOS, lock::isPushWaiting);
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean push() {
    try {
      boolean locked = lock.tryLockForPush(NANOS);
      if (locked) {
        lock.unlock();
      }
      return locked;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A reservation that waits for a permit before the store answers a request. */
  private Reservation openSlowly() {
    Reservation reservation = store.open();
    return new Reservation() {
      @Override
      public long sizeBytes() {
        return reservation.sizeBytes();
      }

      @Override
      public boolean isEnded() {
        return reservation.isEnded();
      }

      @Override
      public void request(long bytes) {
        requests.incrementAndGet();
        permits.acquireUninterruptibly();
        reservation.request(bytes);
      }

      @Override
      public Answer awaitAnswer(long timeoutNanos) throws InterruptedException {
        return reservation.awaitAnswer(timeoutNanos);
      }

      @Override
      public void release() {
        reservation.release();
      }

      @Override
      public void awaitReleased(long timeoutNanos) throws InterruptedException {
        reservation.awaitReleased(timeoutNanos);
      }
    };
  }
}
