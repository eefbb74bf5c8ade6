package io.dynims.core.hint;

import io.dynims.core.wire.Hint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the jobs of a node are about to take, by the hints that its adapters keep. A law counts it
 * as in use, so that there is room before the jobs need it. It is a POJO by Flink's rules, so that
 * saved state can gain fields.
 *
 * <p>Nobody sees which job takes memory, only what all jobs hold: j = v − what the tiers hold. So a
 * hint counts as taken as far as j has risen since the hint began: by the most that j was above its
 * least value up to then, where the second before the start counts too. Thus a rise counts once,
 * however often j goes up and down, and a rise that other jobs have first made room for counts in
 * full.
 *
 * <pre>
 *   taken[k] = max over t of ( j[t] − the least j from the start of hint k to t )
 *   hinted   = max over k of ( bytes of the active hints that began no earlier than k − taken[k] )
 * </pre>
 *
 * The latter is at least 0 and at most the node's memory. With one hint it is the hint's bytes less
 * what is taken; with several, a rise counts for the one that began first. If other jobs grow
 * meanwhile, a hint counts as taken too early, and the law reacts as it would without the hint. If
 * they shrink while the owner grows, the hint counts until it expires: that costs cache, never
 * memory.
 *
 * <p>Samples whose j is doubtful ({@link JobLevel}) are passed over.
 */
public final class HintLedger {

  private static final Comparator<HintState> BY_START =
      Comparator.comparingLong(state -> state.hint.startMillis());

  /** The hints that the adapters keep, by owner. */
  public Map<String, HintState> byOwner = new HashMap<>();

  /** What jobs are about to take, as of the last sample. */
  public long hintedBytes;

  /** What the jobs hold. */
  public JobLevel jobs = new JobLevel();

  /**
   * Takes a sample into account, and updates what the jobs are about to take.
   *
   * @param told the hints that the node's adapters keep now; several may tell of the same owner
   */
  public void observe(JobSample sample, List<Hint> told) {
    boolean sure = jobs.observe(sample);
    keep(told);
    hintedBytes = 0;
    if (!byOwner.isEmpty()) {
      List<HintState> active = active(sample.sampledMillis());
      active.forEach(state -> observe(state, sure));
      hintedBytes = outstandingBytes(active, sample.totalBytes());
    }
  }

  /** Of one owner's hints, the one that ends last counts. */
  private void keep(List<Hint> told) {
    Map<String, Hint> latest = told.isEmpty() ? Map.of() : new HashMap<>();
    for (Hint hint : told) {
      latest.merge(hint.owner(), hint, HintLedger::later);
    }
    byOwner.keySet().retainAll(latest.keySet());
    latest.forEach(
        (owner, hint) ->
            byOwner.merge(
                owner,
                HintState.of(hint),
                (known, changed) -> known.hint.equals(hint) ? known : changed));
  }

  private static Hint later(Hint one, Hint other) {
    return one.expiresMillis() >= other.expiresMillis() ? one : other;
  }

  /** The active hints, the earliest first. */
  private List<HintState> active(long sampledMillis) {
    List<HintState> active = new ArrayList<>(byOwner.size());
    for (HintState state : byOwner.values()) {
      if (state.hint.isActive(sampledMillis)) {
        active.add(state);
      }
    }
    active.sort(BY_START);
    return active;
  }

  private void observe(HintState state, boolean sure) {
    if (!state.begun && jobs.known) {
      state.begin(jobs.recentLeastBytes());
    }
    if (sure) {
      state.observe(jobs.bytes);
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
