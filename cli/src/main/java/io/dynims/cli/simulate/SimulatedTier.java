package io.dynims.cli.simulate;

/**
 * A tier that always has data to fill it: what it holds moves towards its capacity, down at one
 * rate and up at another.
 */
final class SimulatedTier {

  private final Rates rates;
  private long capacityBytes;

  /** Not rounded, so that low rates add up over ticks. */
  private double heldBytes;

  /** A tier that is full. */
  SimulatedTier(long capacityBytes, Rates rates) {
    this.capacityBytes = capacityBytes;
    this.heldBytes = capacityBytes;
    this.rates = rates;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long heldBytes() {
    return Math.round(heldBytes);
  }

  /** Puts a capacity in force and lets time pass. */
  void resize(long newCapacityBytes, long millis) {
    capacityBytes = newCapacityBytes;
    double goalBytes = (double) newCapacityBytes;
    double seconds = millis / 1e3;
    heldBytes =
        heldBytes > goalBytes
            ? Math.max(goalBytes, heldBytes - rates.freeBytesPerSecond() * seconds)
            : Math.min(goalBytes, heldBytes + rates.fillBytesPerSecond() * seconds);
  }
}
