package io.dynims.controller;

import io.vertx.core.Context;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs what belongs on an event loop from a test's thread. */
public final class OnEventLoop {

  private OnEventLoop() {}

  /** Runs a task there and returns its result, or throws what it threw. */
  public static <T> T call(Context loop, Supplier<T> task) {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.runOnContext(
        ignored -> {
          try {
            done.complete(task.get());
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    return done.join();
  }
}
