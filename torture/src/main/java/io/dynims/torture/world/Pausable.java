package io.dynims.torture.world;

import io.dynims.simulation.VirtualTime;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A part that runs, is killed, or stands still: what it has to do then waits, and is done
 * afterwards in order.
 */
final class Pausable {

  private final VirtualTime time;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean alive;
  private boolean paused;
  private int starts;

  Pausable(VirtualTime time) {
    this.time = time;
  }

  /** Starts anew; kills may overlap. */
  void start() {
    kill();
    alive = true;
    starts++;
  }

  /** What waits is lost, and so is what was to be done later. */
  void kill() {
    alive = false;
    paused = false;
    waiting.clear();
  }

  boolean isAlive() {
    return alive;
  }

  /** Counts its starts. */
  int starts() {
    return starts;
  }

  void run(Runnable action) {
    if (paused) {
      waiting.add(action);
    } else if (alive) {
      action.run();
    }
  }

  /** Does something later, unless it is killed meanwhile. */
  void after(long millis, Runnable action) {
    int start = starts;
    time.after(
        millis,
        () -> {
          if (starts == start) {
            run(action);
          }
        });
  }

  void pause() {
    paused = alive;
  }

  void resume() {
    paused = false;
    while (!paused && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }
}
