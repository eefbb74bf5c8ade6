package io.dynims.controller;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Hands work from other threads to the event loop, the only thread that accesses the fleet. */
final class EventLoop {

  private final Context context;

  EventLoop(Context context) {
    this.context = context;
  }

  /** Queues a task and returns at once. */
  void execute(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  /** Queues a task and waits until it has run, so that a reader of Kafka does not get ahead. */
  void executeAndWait(Runnable task) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    execute(
        () -> {
          try {
            task.run();
          } finally {
            done.countDown();
          }
        });
    done.await();
  }

  /** Queues a task and returns its future result. */
  <T> Future<T> submit(Supplier<T> task) {
    Promise<T> result = Promise.promise();
    execute(
        () -> {
          try {
            result.complete(task.get());
          } catch (RuntimeException e) {
            result.fail(e);
          }
        });
    return result.future();
  }
}
