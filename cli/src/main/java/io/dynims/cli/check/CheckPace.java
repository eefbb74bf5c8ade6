package io.dynims.cli.check;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How the waits of a check pass. */
interface CheckPace {

  /** Waits as long as it says. */
  CheckPace REAL =
      new CheckPace() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void pause() {
          LockSupport.parkNanos(POLL_NANOS);
        }
      };

  /** How long a pause is. */
  long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** The time, as {@link System#nanoTime} tells it. */
  long nanos();

  /** Lets some time pass between two looks at an adapter. */
  void pause();
}
