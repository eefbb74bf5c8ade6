package io.dynims.torture.rules;

import io.dynims.tier.TierRequest;
import io.dynims.torture.world.AdapterHost;
import java.util.Optional;

/** While a lease runs, no push of an older term or sample is applied after a newer one. */
final class OrderRule {

  static final String NAME = "order";

  private TierRequest last;
  private long leasedUntilNanos;
  private int starts;

  Optional<Violation> applied(AdapterHost adapter, TierRequest request, long millis, int start) {
    long nowNanos = adapter.clock().nanos();
    boolean runs = last != null && starts == start && nowNanos < leasedUntilNanos;
    boolean olderTerm =
        runs && last.term() != null && request.term() != null && request.term() < last.term();
    boolean olderSample = runs && request.sampledMillis() < last.sampledMillis();
    TierRequest before = last;
    last = request;
    starts = start;
    leasedUntilNanos = nowNanos + request.leaseMillis() * 1_000_000;
    return olderTerm || olderSample
        ? Optional.of(
            new Violation(
                NAME, millis, adapter.key() + ": " + request + " applied after " + before))
        : Optional.empty();
  }
}
