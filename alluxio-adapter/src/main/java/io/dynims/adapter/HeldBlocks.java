package io.dynims.adapter;

import io.dynims.tier.StoreUnavailableException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The blocks that the store is kept from evicting, at most {@value #MAX}. Not thread-safe. */
final class HeldBlocks {

  /** Opens holds. */
  interface Holder {

    /** Asks the store to keep a block; does not wait for it. */
    Hold hold(long blockId) throws StoreUnavailableException;
  }

  /** A part of the worker's 1,000 block locks, which its readers share. */
  static final int MAX = 256;

  private static final Logger LOG = LogManager.getLogger(HeldBlocks.class);
  private static final long GRANT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long GRANT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Holder holder;
  private final Map<Long, Hold> holds = new HashMap<>();

  HeldBlocks(Holder holder) {
    this.holder = holder;
  }

  /**
   * Releases all others, holds these as far as possible, and waits a moment for the grants.
   *
   * @return the holds, some of which may not be granted; null if some blocks have none
   */
  List<Hold> update(Set<Long> blockIds) {
    holds.forEach(
        (blockId, hold) -> {
          if (!blockIds.contains(blockId)) {
            hold.release();
          }
        });
    holds.values().removeIf(Hold::isEnded);
    open(blockIds);
    awaitGrants();
    return holds.size() == blockIds.size() ? List.copyOf(holds.values()) : null;
  }

  void releaseAll() {
    holds.values().forEach(Hold::release);
    holds.clear();
  }

  private void open(Collection<Long> blockIds) {
    try {
      for (long blockId : blockIds) {
        if (holds.size() < MAX && !holds.containsKey(blockId)) {
          holds.put(blockId, holder.hold(blockId));
        }
      }
    } catch (StoreUnavailableException e) {
      LOG.debug("cannot hold blocks: {}", e.getMessage());
    }
  }

  private void awaitGrants() {
    long startNanos = System.nanoTime();
    while (holds.values().stream().anyMatch(each -> !each.isHeld() && !each.isEnded())
        && System.nanoTime() - startNanos < GRANT_NANOS) {
      LockSupport.parkNanos(GRANT_POLL_NANOS);
    }
  }
}
