package io.dynims.torture.rules;

import io.dynims.torture.world.AdapterHost;
import io.dynims.torture.world.Seen.Cause;
import java.util.Optional;

/**
 * A limit that a push sets is what it asked for; less only if the guard has decided within the last
 * seconds.
 */
final class ExplainedRule {

  static final String NAME = "explained";

  /** For how long a push is bounded after the guard has decided, with what clocks may be off. */
  private static final long GUARDED_MILLIS = 4_050;

  private long guardedMillis = -GUARDED_MILLIS;

  Optional<Violation> limited(
      AdapterHost adapter, long bytes, Cause cause, long askedBytes, long millis) {
    if (cause == Cause.Guard) {
      guardedMillis = millis;
    }
    boolean isLess = bytes < askedBytes && millis - guardedMillis > GUARDED_MILLIS;
    return cause == Cause.Push && (bytes > askedBytes || isLess)
        ? Optional.of(
            new Violation(
                NAME,
                millis,
                "%s: set to %,d where a push asked for %,d"
                    .formatted(adapter.key(), bytes, askedBytes)))
        : Optional.empty();
  }
}
