package io.dynims.tier;

/** A tier that is only numbers; the reference for other stores. Safe for use by many threads. */
public final class InMemoryTierStore implements TierStore {

  private final String tier;
  private final long minBytes;
  private final long maxBytes;
  private long capacityBytes;
  private long usedBytes;
  private long pinnedBytes;
  private boolean away;

  /** A tier that starts empty and at its greatest capacity. */
  public InMemoryTierStore(String tier, long minBytes, long maxBytes) {
    this.tier = tier;
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.capacityBytes = maxBytes;
  }

  /** Writes data; what exceeds the capacity evicts as much. */
  public synchronized void write(long bytes) {
    usedBytes = Math.min(capacityBytes, usedBytes + bytes);
  }

  /** Pins this much of the data: it cannot be evicted until fewer bytes are pinned. */
  public synchronized void pin(long bytes) {
    pinnedBytes = Math.min(bytes, usedBytes);
  }

  /** Makes the store go away, or come back. */
  public synchronized void setAway(boolean away) {
    this.away = away;
  }

  @Override
  public synchronized TierStatus status() throws StoreUnavailableException {
    return status(0);
  }

  @Override
  public synchronized TierStatus resize(long wantedBytes) throws StoreUnavailableException {
    requireHere();
    long withinBounds = Math.max(minBytes, Math.min(maxBytes, wantedBytes));
    capacityBytes = Math.max(withinBounds, pinnedBytes);
    usedBytes = Math.min(usedBytes, capacityBytes);
    return status(capacityBytes - withinBounds);
  }

  private TierStatus status(long unevictableBytes) throws StoreUnavailableException {
    requireHere();
    return new TierStatus(
        tier,
        capacityBytes,
        minBytes,
        maxBytes,
        usedBytes,
        maxBytes - capacityBytes,
        unevictableBytes,
        "in-memory",
        null,
        null,
        null);
  }

  private void requireHere() throws StoreUnavailableException {
    if (away) {
      throw new StoreUnavailableException("the store was told to be away", null);
    }
  }
}
