package io.dynims.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A store whose content moves towards its limit, or towards what its data set asks for if that is
 * less: down at one rate and up at another. Its limit is a multiple of a grain, and follows the
 * content down or is in force at once. A part of the content can be locked by readers.
 */
public final class SimulatedStore {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * How it behaves.
   *
   * @param minBytes the least limit, at least 0
   * @param maxBytes the greatest limit
   * @param rates how fast it frees memory and fills
   * @param grainBytes the limit is a multiple of it, at least 1
   * @param limitsAtOnce whether a lower limit is in force at once; otherwise it follows the content
   * @param usedRatio what it says that it holds, as a part of what it holds
   * @param usedAgeMillis how old that figure is, at least 0
   */
  public record Behaviour(
      long minBytes,
      long maxBytes,
      Rates rates,
      long grainBytes,
      boolean limitsAtOnce,
      double usedRatio,
      long usedAgeMillis) {

    /** How one behaves that says what it holds now. */
    public Behaviour(
        long minBytes,
        long maxBytes,
        Rates rates,
        long grainBytes,
        boolean limitsAtOnce,
        double usedRatio) {
      this(minBytes, maxBytes, rates, grainBytes, limitsAtOnce, usedRatio, 0);
    }
  }

  /** What it held at some time. */
  private record Held(long nanos, double bytes) {}

  private final VirtualTime time;
  private final Behaviour behaviour;
  private long lastNanos;
  private long limitBytes;
  private long demandBytes;
  private long lockedBytes;

  /** By how much slower it is than its rates say, at least 1. */
  private double slowness = 1;

  /** What it held, the oldest first, and does not tell yet. */
  private final Deque<Held> untold = new ArrayDeque<>();

  /** What it held at the time that it tells of. */
  private double toldBytes;

  private double heldBytes;
  private double evictedBytes;
  private double filledBytes;

  /** A store of these rates without bounds, whose limit is in force at once. */
  static SimulatedStore unbounded(VirtualTime time, Rates rates, long limitBytes, long heldBytes) {
    var behaviour = new Behaviour(0, Long.MAX_VALUE, rates, 1, true, 1);
    SimulatedStore store = new SimulatedStore(time, behaviour, heldBytes, Long.MAX_VALUE);
    store.limit(limitBytes);
    return store;
  }

  /**
   * A store with its greatest limit.
   *
   * @param heldBytes what it holds
   * @param demandBytes what its data set could occupy
   */
  public SimulatedStore(VirtualTime time, Behaviour behaviour, long heldBytes, long demandBytes) {
    this.time = time;
    this.behaviour = behaviour;
    this.demandBytes = demandBytes;
    this.limitBytes = behaviour.maxBytes;
    this.heldBytes = heldBytes;
    this.toldBytes = heldBytes;
    this.lastNanos = time.nanos();
  }

  /** How it behaves. */
  public Behaviour behaviour() {
    return behaviour;
  }

  /** The closest limit that it can have, not above what is asked unless that is below its least. */
  public long rounded(long bytes) {
    long within = Math.max(behaviour.minBytes, Math.min(behaviour.maxBytes, bytes));
    return Math.max(behaviour.minBytes, within / behaviour.grainBytes * behaviour.grainBytes);
  }

  /** Asks for a limit. */
  public void limit(long bytes) {
    pass();
    limitBytes = rounded(bytes);
  }

  /** The limit asked for last. */
  public long limitBytes() {
    return limitBytes;
  }

  /** The limit in force. */
  public long capacityBytes() {
    pass();
    long leastBytes = behaviour.limitsAtOnce ? Math.min(lockedBytes, heldBytes()) : heldBytes();
    return Math.max(limitBytes, leastBytes);
  }

  /** What it holds. */
  public long heldBytes() {
    pass();
    return Math.round(heldBytes);
  }

  /** What it says that it holds. */
  public long toldBytes() {
    pass();
    return Math.round(behaviour.usedRatio * (behaviour.usedAgeMillis == 0 ? heldBytes : toldBytes));
  }

  /** What it cannot give of what is asked, as long as its readers keep it. */
  public long unevictableBytes() {
    return Math.max(0, Math.min(lockedBytes, heldBytes()) - limitBytes);
  }

  /** What its readers lock of what it holds. */
  public long lockedBytes() {
    return Math.min(lockedBytes, heldBytes());
  }

  /**
   * How long it takes until it has freed what is asked and can be freed, in milliseconds; at least
   * 1 if there is anything.
   */
  public long freeingMillis() {
    double leftBytes = heldBytes() - (double) Math.max(limitBytes, lockedBytes);
    double rate = behaviour.rates.freeBytesPerSecond() / slowness;
    return leftBytes <= 0
        ? 0
        : (long) Math.min(1e9, Math.max(1, Math.ceil(leftBytes / rate * 1e3)));
  }

  /** What was evicted so far because the limit was below the content. */
  public long evictedBytes() {
    pass();
    return Math.round(evictedBytes);
  }

  /** What was loaded so far. */
  public long filledBytes() {
    pass();
    return Math.round(filledBytes);
  }

  /** What its readers lock from now on, at most what it holds. */
  public void lock(long bytes) {
    pass();
    lockedBytes = bytes;
  }

  /** What its data set could occupy from now on; a content above it is deleted. */
  public void demand(long bytes) {
    pass();
    demandBytes = bytes;
  }

  /** How much slower it is from now on than its rates say, at least 1. */
  public void slow(double factor) {
    pass();
    slowness = factor;
  }

  /** Starts anew: empty, with its greatest limit. */
  public void restart() {
    pass();
    heldBytes = 0;
    lockedBytes = 0;
    limitBytes = behaviour.maxBytes;
  }

  /** Keeps what it held until now. */
  private void remember() {
    if (behaviour.usedAgeMillis > 0) {
      untold.add(new Held(lastNanos, heldBytes));
      long toldNanos = time.nanos() - behaviour.usedAgeMillis * NANOS_PER_MILLI;
      while (!untold.isEmpty() && untold.peek().nanos <= toldNanos) {
        toldBytes = untold.remove().bytes;
      }
    }
  }

  private void pass() {
    double seconds = (time.nanos() - lastNanos) / NANOS_PER_SECOND;
    if (seconds == 0) {
      return;
    }
    remember();
    lastNanos = time.nanos();
    double most = Math.max((double) limitBytes, Math.min((double) lockedBytes, heldBytes));
    double goal = Math.min(most, (double) demandBytes);
    double before = heldBytes;
    if (before > goal) {
      double freed = behaviour.rates.freeBytesPerSecond() / slowness * seconds;
      heldBytes = Math.max(goal, before - freed);
      evictedBytes += Math.max(0, before - Math.max(most, heldBytes));
    } else {
      double loaded = behaviour.rates.fillBytesPerSecond() / slowness * seconds;
      heldBytes = Math.min(goal, before + loaded);
      filledBytes += heldBytes - before;
    }
  }
}
