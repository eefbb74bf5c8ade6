package io.dynims.core.loop;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the jobs of a node are about to take, by the hints that its adapters keep. A law counts it
 * as taken, so that there is room before the jobs come.
 *
 * <p>Nobody sees which job takes memory, only what all jobs hold: j = v − what the tiers hold. So a
 * hint counts as taken as far as j has risen since the hint began: by the most that j was above its
 * least value up to then, the second before the start included. Thus a rise counts once, however
 * often j moves up and down, and what other jobs give back first is not missed later.
 *
 * <pre>
 *   taken[k] = max over t of ( j[t] − the least j from the start of hint k to t )
 *   hinted   = max over k of ( bytes of the active hints that began no earlier than k − taken[k] )
 * </pre>
 *
 * The latter is at least 0 and at most the node's memory. With one hint it is the hint's bytes less
 * what is taken; of several, a rise pays for the one that began first. If other jobs grow
 * meanwhile, a hint counts as taken too early, and the law reacts as without it. If they shrink
 * while the owner grows, it counts until it expires: that costs cache, never memory.
 *
 * <p>While a tier moves, j is doubtful ({@link JobLevel}). Such samples are passed over.
 */
final class HintLedger {

  private static final Comparator<HintState> BY_START =
      Comparator.comparingLong(state -> state.hint.startMillis());

  private final NodeLoopState node;

  HintLedger(NodeLoopState node) {
    this.node = node;
  }

  /** Takes a reading into account, and updates what the jobs are about to take. */
  void observe(MemoryReading reading) {
    boolean sure = observeJobs(reading);
    keepWhatAdaptersTell();
    node.hintedBytes = 0;
    if (!node.hints.isEmpty()) {
      List<HintState> active = active(reading.sampledMillis());
      active.forEach(state -> observe(state, sure));
      node.hintedBytes = outstandingBytes(active, reading.totalBytes());
    }
  }

  /** Returns whether j is without doubt. */
  private boolean observeJobs(MemoryReading reading) {
    long heldBytes = 0;
    boolean exact = true;
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.policy != null && tier.ack != null) {
        heldBytes += tier.toldBytes(reading);
        // The stock plugin's v is what is in use without any tier, plus what the acks tell.
        exact &= tier.tells(reading) || reading.isStock();
      }
    }
    long jobBytes = Math.max(0, reading.usedBytes(node.tierUsedBytes()) - heldBytes);
    return node.jobs.observe(
        jobBytes, heldBytes, exact, reading.totalBytes(), reading.sampledMillis());
  }

  /** Tiers of a node may tell the same hints; of one owner's, the one that ends last counts. */
  private void keepWhatAdaptersTell() {
    Map<String, Hint> told = Map.of();
    for (TierLoopState tier : node.tiers.values()) {
      if (tier.policy != null && tier.ack != null && tier.ack.hints() != null) {
        told = told.isEmpty() ? new HashMap<>() : told;
        for (Hint hint : tier.ack.hints()) {
          told.merge(hint.owner(), hint, HintLedger::later);
        }
      }
    }
    node.hints.keySet().retainAll(told.keySet());
    told.forEach(
        (owner, hint) ->
            node.hints.merge(
                owner,
                HintState.of(hint),
                (known, changed) -> known.hint.equals(hint) ? known : changed));
  }

  private static Hint later(Hint one, Hint other) {
    return one.expiresMillis() >= other.expiresMillis() ? one : other;
  }

  /** The active ones, the earliest first. */
  private List<HintState> active(long sampledMillis) {
    List<HintState> active = new ArrayList<>(node.hints.size());
    for (HintState state : node.hints.values()) {
      if (state.hint.isActive(sampledMillis)) {
        active.add(state);
      }
    }
    active.sort(BY_START);
    return active;
  }

  private void observe(HintState state, boolean sure) {
    if (!state.begun && node.jobs.known) {
      state.begin(node.jobs.recentLeastBytes());
    }
    if (sure) {
      state.observe(node.jobs.bytes);
    }
  }

  private static long outstandingBytes(List<HintState> active, long totalBytes) {
    long announcedBytes = 0;
    long mostBytes = 0;
    for (int i = active.size() - 1; i >= 0; i--) {
      HintState state = active.get(i);
      announcedBytes += Math.min(state.hint.bytes(), totalBytes);
      mostBytes = Math.max(mostBytes, announcedBytes - state.takenBytes);
    }
    return Math.min(mostBytes, totalBytes);
  }
}
