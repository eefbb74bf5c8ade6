package io.dynims.torture.world;

import java.util.ArrayDeque;
import java.util.Queue;

/** What a part does; while it stands still, all of that waits and is done afterwards, in order. */
final class Pausable {

  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean paused;

  void run(Runnable action) {
    if (paused) {
      waiting.add(action);
    } else {
      action.run();
    }
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    while (!paused && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  /** The part was killed: what waits is lost. */
  void clear() {
    paused = false;
    waiting.clear();
  }
}
