package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopTest {

  private final Vertx vertx = Vertx.vertx();
  private final EventLoop loop = new EventLoop(vertx.getOrCreateContext());

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void executeAndWaitReturnsAfterTheTasksBeforeIt() throws Exception {
    List<Boolean> onEventLoop = new ArrayList<>();
    loop.execute(() -> onEventLoop.add(Context.isOnEventLoopThread()));
    loop.executeAndWait(() -> onEventLoop.add(Context.isOnEventLoopThread()));

    assertThat(onEventLoop).containsExactly(true, true);
  }

  @Test
  void executeAndWaitReturnsEvenIfTheTaskFails() throws Exception {
    loop.executeAndWait(
        () -> {
          throw new IllegalStateException("for a test");
        });
  }

  @Test
  void submitReturnsTheResultOrTheFailure() {
    assertThat(loop.submit(() -> 7).toCompletionStage().toCompletableFuture().join()).isEqualTo(7);
    assertThatThrownBy(
            () ->
                loop.submit(
                        () -> {
                          throw new IllegalStateException("for a test");
                        })
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join())
        .hasRootCauseMessage("for a test");
  }
}
