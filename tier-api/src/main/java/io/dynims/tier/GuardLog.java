package io.dynims.tier;

import io.dynims.core.law.Action;
import io.dynims.core.wire.Target;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The guard's last decisions, for a controller that comes back. Of decisions that change nothing
 * only one a second is kept. Thread-safe.
 */
final class GuardLog {

  private static final int MOST = 4_096;
  private static final long HOLD_MILLIS = 1_000;

  private final ArrayDeque<Target> decisions = new ArrayDeque<>();

  synchronized void add(Target decision) {
    Target last = decisions.peekLast();
    boolean repeats =
        last != null
            && decision.action() == Action.Hold
            && decision.limitedBy() == last.limitedBy()
            && decision.decidedMillis() - last.decidedMillis() < HOLD_MILLIS;
    if (repeats) {
      return;
    }
    if (decisions.size() == MOST) {
      decisions.removeFirst();
    }
    decisions.addLast(decision);
  }

  /** When the newest was decided; null if there is none. */
  synchronized Long newestMillis() {
    return decisions.isEmpty() ? null : decisions.peekLast().decidedMillis();
  }

  /** The oldest decisions after a time. */
  synchronized List<Target> since(long millis, int limit) {
    return decisions.stream()
        .filter(decision -> decision.decidedMillis() > millis)
        .limit(limit)
        .toList();
  }
}
