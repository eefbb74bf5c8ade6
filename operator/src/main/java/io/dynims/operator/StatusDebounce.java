package io.dynims.operator;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Holds back what would be said of a new spec before its nodes have had the time to follow it:
 * since a status is written at most every few seconds, the truth would have to wait for the next
 * one. For use by one thread.
 */
final class StatusDebounce {

  private static final long LEAST_NANOS = 500_000_000L;
  private static final long MOST_NANOS = 3_000_000_000L;

  private record Spec(long generation, long sinceNanos) {}

  private final Map<String, Spec> specs = new HashMap<>();

  /**
   * Whether the status can be told.
   *
   * @param told the generation that the last status was about; 0 if there is none
   * @param ready whether nothing is to be expected that would change the status soon
   */
  boolean isOver(TierDocument document, long told, boolean ready, long nowNanos) {
    if (document.generation() == told) {
      return true;
    }
    Spec spec = specs.get(document.uid());
    if (spec == null || spec.generation() != document.generation()) {
      spec = new Spec(document.generation(), nowNanos);
      specs.put(document.uid(), spec);
    }
    return nowNanos - spec.sinceNanos() >= (ready ? LEAST_NANOS : MOST_NANOS);
  }

  /** Forgets all but these resources. */
  void keep(Set<String> uids) {
    specs.keySet().retainAll(uids);
  }
}
