package io.dynims.controller.push;

import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A store of 1,000 bytes that records the requested capacities, and can be made to block. */
final class RecordingStore implements TierStore {

  final InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1_000);
  final List<Long> resizes = new CopyOnWriteArrayList<>();
  final Semaphore permits = new Semaphore(1_000_000);

  @Override
  public TierStatus status() throws StoreUnavailableException {
    return store.status();
  }

  @Override
  public TierStatus resize(long capacityBytes) throws StoreUnavailableException {
    resizes.add(capacityBytes);
    permits.acquireUninterruptibly();
    return store.resize(capacityBytes);
  }
}
