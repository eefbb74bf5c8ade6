package io.dynims.torture.world;

import io.dynims.core.wire.TierKey;
import io.dynims.simulation.SimulatedNode;
import io.dynims.simulation.SimulatedStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import io.dynims.torture.world.Seen.Cause;

/** A simulated store as an adapter sees it; it remembers what was asked for, and why. */
final class HostedStore implements TierStore {

  private static final long UNTOUCHED = -1;

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

  /** A push asks for so much from now on. */
  void beginPush(long bytes) {
    cause = Cause.Push;
    askedBytes = bytes;
  }

  void endPush() {
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

  private void requireAvailable() throws StoreUnavailableException {
    if (away) {
      throw new StoreUnavailableException("the store is away", null);
    }
  }
}
