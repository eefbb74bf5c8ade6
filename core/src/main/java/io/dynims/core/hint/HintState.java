package io.dynims.core.hint;

import io.dynims.core.wire.Hint;

/** What is known of one hint; a POJO by Flink's rules, as {@link HintLedger}. */
public final class HintState {

  /** The hint as an adapter last told it. */
  public Hint hint;

  /** Whether j is known at a time since the hint's start. */
  public boolean begun;

  /** The least that the jobs have held since then. */
  public long leastBytes;

  /** The most by which the jobs have held more than that later on. */
  public long takenBytes;

  static HintState of(Hint hint) {
    HintState state = new HintState();
    state.hint = hint;
    return state;
  }

  /** Begins with what the jobs held lately. */
  void begin(long recentLeastBytes) {
    begun = true;
    leastBytes = recentLeastBytes;
  }

  /** Takes a j without doubt into account. */
  void observe(long jobBytes) {
    leastBytes = Math.min(leastBytes, jobBytes);
    takenBytes = Math.max(takenBytes, jobBytes - leastBytes);
  }
}
