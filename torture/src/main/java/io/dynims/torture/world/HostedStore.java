package io.dynims.torture.world;

import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.core.wire.TierKey;
import io.dynims.simulation.SimulatedNode;
import io.dynims.simulation.SimulatedStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import io.dynims.torture.world.Seen.Cause;

/**
 * A simulated store as an adapter sees it; it knows why a limit is set. One whose limit follows its
 * content is a tier itself, as Alluxio's adapter makes one of a worker, and remembers what was
 * asked for; {@code LimitedTier} makes a tier of any other.
 */
final class HostedStore implements TierStore, LimitedStore {

  private static final long UNTOUCHED = -1;

  /** How long a store frees memory within a step. */
  private static final double STEP_SECONDS = 0.05;

  private final TierKey key;
  private final SimulatedNode node;
  private final SimulatedStore store;
  private final Limited limited;
  private boolean away;
  private long unpersistedBytes;
  private long desiredBytes = UNTOUCHED;
  private Cause cause = Cause.Guard;
  private long askedBytes;

  /** Hears of each limit before it is set. */
  interface Limited {
    void to(long bytes, Cause cause, long askedBytes);
  }

  HostedStore(TierKey key, SimulatedNode node, SimulatedStore store, Limited limited) {
    this.key = key;
    this.node = node;
    this.store = store;
    this.limited = limited;
  }

  String name() {
    return key.tier();
  }

  long nodeTotalBytes() {
    return node.totalBytes();
  }

  SimulatedStore simulated() {
    return store;
  }

  void away(boolean isAway) {
    away = isAway;
  }

  /** What exists nowhere else from now on. */
  void setUnpersisted(long bytes) {
    unpersistedBytes = bytes;
  }

  /** What exists nowhere else, of what it holds. */
  long unpersistedBytes() {
    return Math.min(unpersistedBytes, store.heldBytes());
  }

  /** Limits that are set from now on restore what was asked for. */
  void beginRestore() {
    cause = Cause.Restore;
  }

  /** A push asks for so much from now on. */
  void beginPush(long bytes) {
    cause = Cause.Push;
    askedBytes = bytes;
  }

  /** Limits that are set from now on are the guard's. */
  void end() {
    cause = Cause.Guard;
  }

  /** Forgets what was asked for, as with the end of the adapter. */
  void forget() {
    desiredBytes = UNTOUCHED;
  }

  /** What was asked for last; negative if nothing was. */
  long desiredBytes() {
    return desiredBytes;
  }

  /** Sets what was asked for again where the store has another limit. */
  void restore(long bytes) {
    desiredBytes = bytes;
    if (store.limitBytes() != store.rounded(bytes)) {
      limit(bytes, Cause.Restore, bytes);
    }
  }

  /** Somebody else sets the limit. */
  void setByOther(long bytes) {
    limit(bytes, Cause.Foreign, bytes);
  }

  private void limit(long bytes, Cause why, long asked) {
    limited.to(bytes, why, asked);
    store.limit(bytes);
  }

  @Override
  public TierStatus resize(long bytes) throws StoreUnavailableException {
    requireAvailable();
    desiredBytes = bytes;
    limit(bytes, cause, cause == Cause.Push ? askedBytes : bytes);
    return status();
  }

  @Override
  public TierStatus status() throws StoreUnavailableException {
    requireAvailable();
    var bounds = store.behaviour();
    long capacityBytes = store.capacityBytes();
    if (desiredBytes != UNTOUCHED && capacityBytes == store.rounded(desiredBytes)) {
      long asked = Math.max(bounds.minBytes(), Math.min(bounds.maxBytes(), desiredBytes));
      capacityBytes = Math.max(capacityBytes, asked);
    }
    return new TierStatus(
        key.tier(),
        capacityBytes,
        bounds.minBytes(),
        bounds.maxBytes(),
        store.toldBytes(),
        0,
        store.unevictableBytes(),
        unpersistedBytes(),
        null,
        "simulated",
        node.totalBytes(),
        null);
  }

  @Override
  public void connect() throws StoreUnavailableException {
    requireAvailable();
  }

  @Override
  public StoreReading read() throws StoreUnavailableException {
    requireAvailable();
    return new StoreReading(
        store.limitBytes(), store.toldBytes(), store.heldBytes(), 0, 0, "simulated");
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException {
    requireAvailable();
    long nextBytes = stepsDown() ? Math.max(goalBytes, stepBytes()) : goalBytes;
    if (nextBytes != store.limitBytes() || cause == Cause.Guard) {
      limited.to(goalBytes, cause, cause == Cause.Push ? store.rounded(askedBytes) : goalBytes);
      store.limit(nextBytes);
    }
    return store.limitBytes() == goalBytes && store.freeingMillis() == 0;
  }

  /** As Redis' limit; memcached's has a grain, and is set at once. */
  private boolean stepsDown() {
    return store.behaviour().grainBytes() == 1;
  }

  /** Down to where it can free the memory within a step. */
  private long stepBytes() {
    double freedBytes = store.behaviour().rates().freeBytesPerSecond() * STEP_SECONDS;
    return (long) (store.heldBytes() - freedBytes);
  }

  @Override
  public long rounded(long goalBytes) {
    return store.rounded(goalBytes);
  }

  @Override
  public void close() {
    // It goes on without the adapter.
  }

  private void requireAvailable() throws StoreUnavailableException {
    if (away) {
      throw new StoreUnavailableException("the store is away", null);
    }
  }
}
