package io.dynims.experiments.bench.tier;

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
        if (state == StudyState.Halved || state == StudyState.Swinging) {
          tier.resize((long) (fullBytes * share(tick)));
        }
        next += TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private double share(int tick) {
    int at = state == StudyState.Halved ? Math.min(tick, TICKS_DOWN) : tick % (2 * TICKS_DOWN);
    int down = at <= TICKS_DOWN ? at : 2 * TICKS_DOWN - at;
    return 1 - (1 - LEAST) * down / TICKS_DOWN;
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
