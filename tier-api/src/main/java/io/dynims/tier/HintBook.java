package io.dynims.tier;

import io.dynims.core.wire.Hint;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The hints of a node that have not expired; they outlive a restart. Thread-safe. */
final class HintBook {

  private static final long MAX_AHEAD_MILLIS = TimeUnit.HOURS.toMillis(24);

  private final StateFile stateFile;
  private final long longestMillis;
  private final Clock clock;
  private volatile List<Hint> hints;

  /**
   * Goes on with the hints that were saved.
   *
   * @param longestMillis for how long a hint may hold
   */
  HintBook(StateFile stateFile, long longestMillis, Clock clock) {
    this.stateFile = stateFile;
    this.longestMillis = longestMillis;
    this.clock = clock;
    List<Hint> saved = stateFile.state().hints();
    this.hints = saved == null ? List.of() : saved;
  }

  /** Those that hold now or later. */
  List<Hint> hints() {
    List<Hint> all = hints;
    return all.isEmpty() ? all : valid(all, clock.millis());
  }

  /**
   * Keeps a hint; one of the same owner is replaced.
   *
   * @return all hints
   * @throws IllegalArgumentException naming the field, if its times are out of range
   */
  synchronized List<Hint> put(HintRequest request) throws TooManyHintsException {
    long nowMillis = clock.millis();
    Hint hint = request.at(nowMillis, longestMillis);
    checkTimes(hint, nowMillis);
    List<Hint> next = without(hint.owner(), nowMillis);
    if (next.size() >= Hint.MAX_HINTS) {
      throw new TooManyHintsException();
    }
    next.add(hint);
    return replace(next);
  }

  /**
   * Forgets an owner's hint, if there is one.
   *
   * @return all others
   */
  synchronized List<Hint> remove(String owner) {
    return replace(without(owner, clock.millis()));
  }

  private void checkTimes(Hint hint, long nowMillis) {
    if (hint.startMillis() > nowMillis + MAX_AHEAD_MILLIS) {
      throw new IllegalArgumentException("startMillis: is more than 24 h ahead");
    }
    if (hint.expiresMillis() <= nowMillis) {
      throw new IllegalArgumentException("expiresMillis: has passed");
    }
    if (holdsMillis(hint, nowMillis) > longestMillis) {
      throw new IllegalArgumentException(
          "expiresMillis: the hint would hold for "
              + holdsMillis(hint, nowMillis)
              + " ms; at most "
              + longestMillis
              + " ms are allowed (hints.longest of the adapter)");
    }
  }

  private List<Hint> without(String owner, long nowMillis) {
    List<Hint> others = new ArrayList<>(valid(hints, nowMillis));
    others.removeIf(each -> each.owner().equals(owner));
    return others;
  }

  private List<Hint> replace(List<Hint> next) {
    List<Hint> all = List.copyOf(next);
    hints = all;
    stateFile.change(state -> state.withHints(all));
    return all;
  }

  /**
   * Those that have not expired. One that could not be given now was given before the clock was set
   * back, and would hold for longer than it may.
   */
  private List<Hint> valid(List<Hint> all, long nowMillis) {
    return all.stream()
        .filter(each -> each.expiresMillis() > nowMillis)
        .filter(each -> each.startMillis() <= nowMillis + MAX_AHEAD_MILLIS)
        .filter(each -> holdsMillis(each, nowMillis) <= longestMillis)
        .toList();
  }

  /** For how long it still holds, from its start on. */
  private static long holdsMillis(Hint hint, long nowMillis) {
    return hint.expiresMillis() - Math.max(hint.startMillis(), nowMillis);
  }
}
