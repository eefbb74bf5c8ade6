package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A query whose answer is kept for fifty times as long as it took. So it takes at most 2 % of the
 * fleet's event loop, which also pushes, however many pages ask and however many tiers there are.
 * To be used on that event loop only.
 *
 * @param <T> the answer
 */
final class RecentAnswer<T> implements Function<Fleet, T> {

  private static final long KEPT_TIMES = 50;

  private final Function<Fleet, T> query;
  private final LongSupplier nanoTime;
  private T answer;
  private long doneNanos;
  private long keptNanos;

  RecentAnswer(Function<Fleet, T> query) {
    this(query, System::nanoTime);
  }

  RecentAnswer(Function<Fleet, T> query, LongSupplier nanoTime) {
    this.query = query;
    this.nanoTime = nanoTime;
  }

  @Override
  public T apply(Fleet fleet) {
    long startNanos = nanoTime.getAsLong();
    if (answer == null || startNanos - doneNanos >= keptNanos) {
      answer = query.apply(fleet);
      doneNanos = nanoTime.getAsLong();
      keptNanos = KEPT_TIMES * (doneNanos - startNanos);
    }
    return answer;
  }
}
