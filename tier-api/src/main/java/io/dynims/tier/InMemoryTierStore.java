package io.dynims.tier;

/** A tier without data, for tests; the reference for other stores. Thread-safe. */
public final class InMemoryTierStore implements TierStore {

  private final String tier;
  private final CapacityBounds bounds;
  private long capacityBytes;
  private long usedBytes;
  private long pinnedBytes;
  private boolean away;

  /** A tier that starts empty and at its maximum capacity. */
  public InMemoryTierStore(String tier, long minBytes, long maxBytes) {
    this.tier = tier;
    this.bounds = new CapacityBounds(minBytes, maxBytes);
    this.capacityBytes = maxBytes;
  }

  /** Adds data; data beyond the capacity evicts as much. */
  public synchronized void write(long bytes) {
    usedBytes = Math.min(capacityBytes, usedBytes + bytes);
  }

  /** Pins that much of the data, in place of what was pinned before; it cannot be evicted. */
  public synchronized void pin(long bytes) {
    pinnedBytes = Math.min(bytes, usedBytes);
  }

  /** Makes the store unavailable, or available again. */
  public synchronized void setAway(boolean away) {
    this.away = away;
  }

  @Override
  public synchronized TierStatus status() throws StoreUnavailableException {
    return status(0);
  }

  @Override
  public synchronized TierStatus resize(long desiredBytes) throws StoreUnavailableException {
    requireAvailable();
    long targetBytes = bounds.clamp(desiredBytes);
    capacityBytes = Math.max(targetBytes, pinnedBytes);
    usedBytes = Math.min(usedBytes, capacityBytes);
    return status(capacityBytes - targetBytes);
  }

  private TierStatus status(long unevictableBytes) throws StoreUnavailableException {
    requireAvailable();
    return new TierStatus(
        tier,
        capacityBytes,
        bounds.minBytes(),
        bounds.maxBytes(),
        usedBytes,
        bounds.maxBytes() - capacityBytes,
        unevictableBytes,
        null,
        null,
        "in-memory",
        null,
        null);
  }

  private void requireAvailable() throws StoreUnavailableException {
    if (away) {
      throw new StoreUnavailableException("the store was told to be away", null);
    }
  }
}
