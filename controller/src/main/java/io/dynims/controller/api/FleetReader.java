package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.FleetChanges;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads the fleet on the fleet's event loop, for another one. At most one query waits there at a
 * time, so that a push is never behind more than one, however many requests there are.
 */
public final class FleetReader {

  private final Fleet fleet;
  private final FleetChanges changes;
  private final Executor fleetLoop;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  /** A reader; to be constructed on the fleet's event loop, and used on one other. */
  public FleetReader(Fleet fleet, Executor fleetLoop) {
    this.fleet = fleet;
    this.changes = new FleetChanges(fleet);
    this.fleetLoop = fleetLoop;
  }

  /** The changes of the fleet, for use in queries. */
  FleetChanges changes() {
    return changes;
  }

  /**
   * Runs a query on the fleet's event loop after those before it, and completes on the caller's.
   *
   * @param query what to read; its result must be immutable
   */
  <T> Future<T> read(Function<Fleet, T> query) {
    Context caller = Vertx.currentContext();
    Promise<T> result = Promise.promise();
    waiting.add(() -> run(query, result, caller));
    next();
    return result.future();
  }

  private void next() {
    if (!busy && !waiting.isEmpty()) {
      busy = true;
      fleetLoop.execute(waiting.remove());
    }
  }

  private <T> void run(Function<Fleet, T> query, Promise<T> result, Context caller) {
    Runnable answer;
    try {
      T value = query.apply(fleet);
      answer = () -> result.complete(value);
    } catch (RuntimeException e) {
      answer = () -> result.fail(e);
    }
    Runnable completion = answer;
    caller.runOnContext(
        ignored -> {
          busy = false;
          next();
          completion.run();
        });
  }
}
