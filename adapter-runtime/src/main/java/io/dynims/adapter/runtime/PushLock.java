package io.dynims.adapter.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock with two kinds of holders: pushes, and background work that gives it up when a push waits.
 * Thread-safe.
 */
public final class PushLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger waitingPushes = new AtomicInteger();

  /** A free lock. */
  public PushLock() {}

  /** Takes the lock for a push, and tells background work to give it up; false if time is up. */
  public boolean tryLockForPush(long timeoutNanos) throws InterruptedException {
    waitingPushes.incrementAndGet();
    try {
      return lock.tryLock(timeoutNanos, TimeUnit.NANOSECONDS);
    } finally {
      waitingPushes.decrementAndGet();
    }
  }

  /**
   * Takes the lock for background work, which must look at {@link #isPushWaiting} while it works.
   */
  public void lockForBackground() throws InterruptedException {
    lock.lockInterruptibly();
  }

  /** Whether a push waits for the lock. */
  public boolean isPushWaiting() {
    return waitingPushes.get() > 0;
  }

  /** Gives the lock up. */
  public void unlock() {
    lock.unlock();
  }
}
