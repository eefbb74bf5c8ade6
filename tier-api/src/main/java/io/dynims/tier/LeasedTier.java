package io.dynims.tier;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Applies requests to a store in the order of their samples, and reduces the capacity when the
 * controller's lease on it expires.
 *
 * <p>Each request carries a lease. While the lease runs, a request with an older sample is
 * rejected. Once it has expired, any sample is accepted again, so that a node whose clock was set
 * back is not locked out. On expiry the tier shrinks to the fallback capacity if one is set and the
 * capacity in force is larger; otherwise the capacity stays. It never grows on expiry.
 *
 * <p>Capacities go to the store unchanged; the store clamps them ({@link TierStore#resize}).
 */
final class LeasedTier implements AutoCloseable {

  private static final Logger LOG = System.getLogger(LeasedTier.class.getName());

  private final TierStore store;
  private final OptionalLong fallbackCapacityBytes;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService expiry;

  /** The lease of the last applied request; null before the first one. */
  private volatile Lease lease;

  private ScheduledFuture<?> pendingExpiry;

  private record Lease(long sampledMillis, long endNanos) {}

  LeasedTier(TierStore store, OptionalLong fallbackCapacityBytes, LongSupplier nanoTime) {
    this.store = store;
    this.fallbackCapacityBytes = fallbackCapacityBytes;
    this.nanoTime = nanoTime;
    this.expiry =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "tier-lease");
              thread.setDaemon(true);
              return thread;
            });
  }

  TierStatus status() throws StoreUnavailableException {
    return withLease(store.status());
  }

  synchronized TierStatus apply(TierRequest request)
      throws OutdatedSampleException, StoreUnavailableException {
    Lease last = lease;
    if (last != null && isHeld(last) && request.sampledMillis() < last.sampledMillis()) {
      throw new OutdatedSampleException(request.sampledMillis(), last.sampledMillis());
    }
    TierStatus status = store.resize(request.desiredBytes());
    renewLease(request);
    return withLease(status);
  }

  private void renewLease(TierRequest request) {
    long leaseNanos = TimeUnit.MILLISECONDS.toNanos(request.leaseMillis());
    lease = new Lease(request.sampledMillis(), nanoTime.getAsLong() + leaseNanos);
    if (pendingExpiry != null) {
      pendingExpiry.cancel(false);
    }
    pendingExpiry = expiry.schedule(this::expire, leaseNanos, TimeUnit.NANOSECONDS);
  }

  private synchronized void expire() {
    if (isHeld(lease)) {
      return;
    }
    try {
      long beforeBytes = store.status().capacityBytes();
      if (fallbackCapacityBytes.isPresent() && fallbackCapacityBytes.getAsLong() < beforeBytes) {
        long afterBytes = store.resize(fallbackCapacityBytes.getAsLong()).capacityBytes();
        LOG.log(
            Level.WARNING,
            "controller lease expired: capacity reduced from {0} to {1} bytes",
            Long.toString(beforeBytes),
            Long.toString(afterBytes));
      } else {
        LOG.log(
            Level.WARNING,
            "controller lease expired: capacity stays at {0} bytes",
            Long.toString(beforeBytes));
      }
    } catch (StoreUnavailableException e) {
      LOG.log(
          Level.WARNING,
          "controller lease expired while the store is unavailable: {0}",
          e.getMessage());
    }
  }

  private boolean isHeld(Lease candidate) {
    return candidate.endNanos() - nanoTime.getAsLong() > 0;
  }

  private TierStatus withLease(TierStatus status) {
    Lease current = lease;
    return current == null
        ? status
        : status.with(null, current.sampledMillis(), isHeld(current), null, null);
  }

  @Override
  public void close() {
    expiry.shutdownNow();
  }
}
