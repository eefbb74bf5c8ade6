package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Resizes a tier ten times a second, as the controller does, while its readers are measured. */
final class TierPusher implements AutoCloseable {

  private static final long TICK_MILLIS = 100;
  private static final int TICKS_DOWN = 10;
  private static final double LEAST = 0.5;

  /** Takes a capacity. */
  interface Tier {
    void resize(long bytes) throws Exception;
  }

  private final Tier tier;
  private final long fullBytes;
  private final StudyState state;
  private final List<HopNames.Interval> shrinks = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "tier-pusher");
  private volatile boolean ending;
  private volatile Exception failure;

  /** Starts to do what a state says. */
  TierPusher(Tier tier, long fullBytes, StudyState state) {
    this.tier = tier;
    this.fullBytes = fullBytes;
    this.state = state;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long next = System.nanoTime();
    try {
      for (int tick = 0; !ending; tick++) {
        if (state.evicts()) {
          push(tick);
        }
        next += TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private void push(int tick) throws Exception {
    long begin = System.currentTimeMillis();
    tier.resize((long) (fullBytes * share(state, tick)));
    if (tick > 0 && share(state, tick) < share(state, tick - 1)) {
      synchronized (shrinks) {
        shrinks.add(new HopNames.Interval(begin, System.currentTimeMillis()));
      }
    }
  }

  /** The share of its capacity that a tier has at a tick. */
  static double share(StudyState state, int tick) {
    int at = state == StudyState.Halved ? Math.min(tick, TICKS_DOWN) : tick % (2 * TICKS_DOWN);
    int down = at <= TICKS_DOWN ? at : 2 * TICKS_DOWN - at;
    return 1 - (1 - LEAST) * down / TICKS_DOWN;
  }

  /** When the tier was being made smaller. */
  List<HopNames.Interval> shrinks() {
    synchronized (shrinks) {
      return List.copyOf(shrinks);
    }
  }

  /**
   * Ends it and gives the tier its capacity back.
   *
   * @throws Exception if a resize has failed
   */
  @Override
  public void close() throws Exception {
    ending = true;
    thread.join();
    if (failure != null) {
      throw failure;
    }
    tier.resize(fullBytes);
  }
}
