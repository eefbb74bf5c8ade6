package io.dynims.simulation;

/**
 * A tier whose content moves towards its capacity, or towards what its data set asks for if that is
 * less: down at one rate and up at another. A part of the content can be locked by readers: it is
 * not evicted, and the capacity in force does not go below it.
 */
final class SimulatedTier {

  private final Rates rates;
  private final long lockedBytes;
  private long desiredBytes;

  /** Not rounded, so that low rates add up over ticks. */
  private double heldBytes;

  private double evictedBytes;
  private double filledBytes;

  /**
   * A tier.
   *
   * @param capacityBytes its capacity at first, at least 0
   * @param heldBytes its content at first, at least 0
   * @param lockedBytes how much of its content cannot be evicted, at least 0
   */
  SimulatedTier(long capacityBytes, long heldBytes, long lockedBytes, Rates rates) {
    this.desiredBytes = capacityBytes;
    this.heldBytes = heldBytes;
    this.lockedBytes = lockedBytes;
    this.rates = rates;
  }

  /** The capacity asked for last. */
  long desiredBytes() {
    return desiredBytes;
  }

  /** The capacity in force: as in an adapter, what is locked stays outside the balloon. */
  long capacityBytes() {
    return Math.max(desiredBytes, Math.min(lockedBytes, heldBytes()));
  }

  long heldBytes() {
    return Math.round(heldBytes);
  }

  /** What was evicted so far because the capacity was below the content. */
  long evictedBytes() {
    return Math.round(evictedBytes);
  }

  /** What was loaded so far. */
  long filledBytes() {
    return Math.round(filledBytes);
  }

  /** Asks for a capacity; it is in force at once, except for what is locked. */
  void resize(long newDesiredBytes) {
    desiredBytes = newDesiredBytes;
  }

  /**
   * Lets time pass.
   *
   * @param demandBytes how much the data set could occupy; a content above it was deleted
   */
  void pass(long millis, long demandBytes) {
    double capacity = (double) capacityBytes();
    double goal = Math.min(capacity, (double) demandBytes);
    double seconds = millis / 1e3;
    double before = heldBytes;
    if (before > goal) {
      heldBytes = Math.max(goal, before - moved(rates.freeBytesPerSecond(), seconds));
      evictedBytes += Math.max(0, before - Math.max(capacity, heldBytes));
    } else {
      heldBytes = Math.min(goal, before + moved(rates.fillBytesPerSecond(), seconds));
      filledBytes += heldBytes - before;
    }
  }

  /** In no time nothing moves, also at an infinite rate. */
  private static double moved(double bytesPerSecond, double seconds) {
    return seconds == 0 ? 0 : bytesPerSecond * seconds;
  }
}
