package io.dynims.operator;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Delays status updates after a spec change so that nodes can converge first. Otherwise the status
 * would show the transition until the next update, seconds later. For use by one thread.
 */
final class StatusDebounce {

  private static final long MIN_NANOS = 500_000_000L;
  private static final long MAX_NANOS = 3_000_000_000L;

  private record Spec(long generation, long sinceNanos) {}

  private final Map<String, Spec> specs = new HashMap<>();

  /**
   * Whether the status may be written.
   *
   * @param reported the generation that the last status describes; 0 if there is none
   * @param converged whether no change of the status is expected soon
   */
  boolean isDue(TierDocument document, long reported, boolean converged, long nowNanos) {
    if (document.generation() == reported) {
      return true;
    }
    Spec spec = specs.get(document.uid());
    if (spec == null || spec.generation() != document.generation()) {
      spec = new Spec(document.generation(), nowNanos);
      specs.put(document.uid(), spec);
    }
    return nowNanos - spec.sinceNanos() >= (converged ? MIN_NANOS : MAX_NANOS);
  }

  /** Forgets all other resources. */
  void retain(Set<String> uids) {
    specs.keySet().retainAll(uids);
  }
}
