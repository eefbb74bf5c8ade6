package io.dynims.torture.world;

import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.controller.push.TierLoop;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierStore;

/**
 * Makes a tier of a store, and looks after its limit: goes on with the steps that a request could
 * not finish, and restores a limit that somebody else has changed.
 */
final class LimitKeeper {

  private static final long IDLE_MILLIS = 500;
  private static final long STEP_MILLIS = 50;

  private final HostedStore store;
  private final StateFile state;
  private final TierLoop.Timer timer;

  /** Null where the store is a tier itself, as Alluxio's adapter makes one of a worker. */
  private final LimitedTier limited;

  /** Counts the requests and starts; what an earlier one has begun ends without effect. */
  private int rounds;

  LimitKeeper(HostedStore store, StateFile state, TierLoop.Timer timer) {
    this.store = store;
    this.state = state;
    this.timer = timer;
    this.limited =
        store.simulated().behaviour().limitsAtOnce()
            ? new LimitedTier(settings(store), store, state, store.nodeTotalBytes())
            : null;
  }

  /** Requests take one step each, as the time does not pass within one. */
  private static LimitedSettings settings(HostedStore store) {
    var behaviour = store.simulated().behaviour();
    var bounds = new CapacityBounds(behaviour.minBytes(), behaviour.maxBytes());
    return new LimitedSettings(store.name(), bounds, 0);
  }

  TierStore tier() {
    return limited == null ? store : limited;
  }

  /** Asks for the capacity that was saved. */
  void start() {
    store.beginRestore();
    Long savedBytes = state.state().capacityBytes();
    try {
      if (limited != null) {
        limited.restore();
      } else if (savedBytes != null) {
        store.restore(savedBytes);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    store.end();
    wake();
  }

  /** Goes on with what a request could not finish. */
  void wake() {
    int round = ++rounds;
    timer.after(limited == null ? IDLE_MILLIS : STEP_MILLIS, () -> reconcile(round));
  }

  /** Takes the capacity that was asked for into what is saved. */
  void save() {
    long desiredBytes = store.desiredBytes();
    if (limited != null) {
      limited.slowPoll();
    } else if (desiredBytes >= 0) {
      state.change(now -> now.withCapacity(desiredBytes));
    }
  }

  private void reconcile(int round) {
    if (round == rounds) {
      store.beginRestore();
      boolean idle = reconcile();
      store.end();
      timer.after(idle ? IDLE_MILLIS : STEP_MILLIS, () -> reconcile(round));
    }
  }

  private boolean reconcile() {
    try {
      if (limited != null) {
        return limited.reconcile();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (store.desiredBytes() >= 0) {
      store.restore(store.desiredBytes());
    }
    return true;
  }
}
