package io.dynims.adapter.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Reconciles a tier on a thread of its own: ten times a second while work is left, twice a second
 * otherwise, and at once when woken.
 */
public final class Reconciler {

  /** What is reconciled. */
  public interface Subject {

    /**
     * Brings the actual state closer to the desired one.
     *
     * @return whether no work is left
     */
    boolean reconcile() throws InterruptedException;

    /** Does the work that is due about once a second. */
    void slowPoll();
  }

  private static final Logger LOG = LogManager.getLogger(Reconciler.class);
  private static final long BUSY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long IDLE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long SLOW_POLL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Subject subject;
  private final long idlePollNanos;
  private final Thread thread = new Thread(this::run, "tier-reconciler");
  private volatile boolean stopped;

  public Reconciler(Subject subject) {
    this(subject, IDLE_POLL_NANOS);
  }

  /**
   * One with another interval.
   *
   * @param idlePollNanos the time between rounds while no work is left
   */
  Reconciler(Subject subject, long idlePollNanos) {
    this.subject = subject;
    this.idlePollNanos = idlePollNanos;
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Starts the next round at once; never waits. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Interrupts a round in progress, and waits at most this long for its end. */
  public void stop(long timeoutNanos) throws InterruptedException {
    stopped = true;
    thread.interrupt();
    thread.join(TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
  }

  private void run() {
    long lastSlowPollNanos = System.nanoTime() - SLOW_POLL_NANOS;
    while (!stopped) {
      try {
        boolean idle = subject.reconcile();
        if (System.nanoTime() - lastSlowPollNanos >= SLOW_POLL_NANOS) {
          lastSlowPollNanos = System.nanoTime();
          subject.slowPoll();
        }
        LockSupport.parkNanos(this, idle ? idlePollNanos : BUSY_POLL_NANOS);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("reconciling the tier failed, will retry", e);
        LockSupport.parkNanos(this, BUSY_POLL_NANOS);
      }
    }
  }
}
