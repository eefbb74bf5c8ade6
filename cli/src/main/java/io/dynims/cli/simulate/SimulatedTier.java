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

  /** Puts a capacity in force. */
  void resize(long newCapacityBytes) {
    capacityBytes = newCapacityBytes;
  }

  /** Lets time pass. */
  void pass(long millis) {
    double goalBytes = (double) capacityBytes;
    double seconds = millis / 1e3;
    if (heldBytes > goalBytes) {
      heldBytes = Math.max(goalBytes, heldBytes - moved(rates.freeBytesPerSecond(), seconds));
    } else {
      heldBytes = Math.min(goalBytes, heldBytes + moved(rates.fillBytesPerSecond(), seconds));
    }
  }

  /** In no time nothing moves, also at an infinite rate. */
  private static double moved(double bytesPerSecond, double seconds) {
    return seconds == 0 ? 0 : bytesPerSecond * seconds;
  }
}
