package io.dynims.controller;

import io.vertx.core.Context;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs a test's code on an event loop. */
public final class OnEventLoop {

  private OnEventLoop() {}

  /** Runs a task and returns its result, or rethrows its exception. */
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
