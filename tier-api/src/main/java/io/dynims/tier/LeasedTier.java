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
 * Keeps requests to a store in order of their samples, and knows whether a controller still stands
 * behind the capacity in force.
 *
 * <p>Each request carries a lease. While it runs, a request that rests on an older sample is
 * refused. Once it has run out, any sample is accepted again, so that a node whose clock was set
 * back is not locked out, and the tier falls back: to the fallback capacity if one is set and less
 * than what is in force, otherwise it stays as it is and never grows by itself.
 */
final class LeasedTier implements AutoCloseable {

  private static final Logger LOG = System.getLogger(LeasedTier.class.getName());

  private final TierStore store;
  private final OptionalLong fallbackCapacityBytes;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService expiry;

  /** Ends at {@code leaseEndNanos}; null until the first request. */
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
    renew(request);
    return withLease(status);
  }

  private void renew(TierRequest request) {
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
      long inForceBytes = store.status().capacityBytes();
      if (fallbackCapacityBytes.isPresent() && fallbackCapacityBytes.getAsLong() < inForceBytes) {
        long cutBytes = store.resize(fallbackCapacityBytes.getAsLong()).capacityBytes();
        LOG.log(
            Level.WARNING,
            "no controller has spoken within its lease: capacity cut from {0} to {1} bytes",
            Long.toString(inForceBytes),
            Long.toString(cutBytes));
      } else {
        LOG.log(
            Level.WARNING,
            "no controller has spoken within its lease: capacity stays at {0} bytes",
            Long.toString(inForceBytes));
      }
    } catch (StoreUnavailableException e) {
      LOG.log(Level.WARNING, "no controller has spoken within its lease, and {0}", e.getMessage());
    }
  }

  private boolean isHeld(Lease any) {
    return any.endNanos() - nanoTime.getAsLong() > 0;
  }

  private TierStatus withLease(TierStatus status) {
    Lease current = lease;
    return current == null ? status : status.withLease(current.sampledMillis(), isHeld(current));
  }

  @Override
  public void close() {
    expiry.shutdownNow();
  }
}
