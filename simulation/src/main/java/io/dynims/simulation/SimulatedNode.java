package io.dynims.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleToLongFunction;

/**
 * A node's memory: what its jobs and its stores hold of it, and how long tasks waited for some.
 * Jobs that want more than is left wait for it; a real node would swap or kill.
 */
public final class SimulatedNode {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final long GRAIN_MILLIS = 50;

  private final VirtualTime time;
  private final long totalBytes;
  private final long noiseBytes;
  private final long noiseSeed;
  private final List<DoubleToLongFunction> loads = new ArrayList<>();
  private final List<SimulatedStore> stores = new ArrayList<>();
  private final StallModel stall = new StallModel();
  private long stalledToNanos;

  /**
   * A node without jobs and stores.
   *
   * @param noiseBytes by how much its jobs' memory moves up and down
   * @param noiseSeed how it moves
   */
  public SimulatedNode(VirtualTime time, long totalBytes, long noiseBytes, long noiseSeed) {
    this.time = time;
    this.totalBytes = totalBytes;
    this.noiseBytes = noiseBytes;
    this.noiseSeed = noiseSeed;
  }

  /** Adds what jobs take. */
  public void add(Load load) {
    add(load::bytesAt);
  }

  /**
   * Adds what jobs take.
   *
   * @param bytesAt how much it is at a time in milliseconds
   */
  public void add(DoubleToLongFunction bytesAt) {
    loads.add(bytesAt);
  }

  /** Adds a store. */
  public void add(SimulatedStore store) {
    stores.add(store);
  }

  /** The node's memory. */
  public long totalBytes() {
    return totalBytes;
  }

  /** What the jobs hold now: what they want, but no more than the stores leave. */
  public long jobBytes() {
    return Math.max(0, Math.min(wantedBytes(), totalBytes - heldBytes()));
  }

  private long wantedBytes() {
    double millis = time.nanos() / NANOS_PER_MILLI;
    long sum = noiseBytes == 0 ? 0 : noise((long) (millis / GRAIN_MILLIS));
    for (DoubleToLongFunction load : loads) {
      sum += load.applyAsLong(millis);
    }
    return sum;
  }

  private long noise(long slot) {
    return (long) (noiseBytes * Hash.unit(noiseSeed, slot));
  }

  /** What the stores hold now. */
  public long heldBytes() {
    long sum = 0;
    for (SimulatedStore store : stores) {
      sum += store.heldBytes();
    }
    return sum;
  }

  /** v, the memory in use now. */
  public long usedBytes() {
    return Math.min(totalBytes, wantedBytes() + heldBytes());
  }

  /** For how long tasks have waited for memory, microseconds; to be asked often. */
  public long stalledMicros() {
    long millis = time.millis() - (long) (stalledToNanos / NANOS_PER_MILLI);
    if (millis > 0) {
      stall.pass((double) (wantedBytes() + heldBytes()) / totalBytes, millis);
      stalledToNanos = time.nanos();
    }
    return stall.stalledMicros();
  }
}
