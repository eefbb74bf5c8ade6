package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is closed while a request is with its store. */
class TierServerCloseTest {

  private static final long WAIT_SECONDS = 60;
  private static final String BODY =
      "{\"desiredBytes\":500,\"leaseMillis\":5000,\"sampledMillis\":1}";

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT"})
  void dropsAnswersThatComeAfterItWasClosed(String method) throws Exception {
    SlowStore store = new SlowStore();
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try (Socket socket = new Socket()) {
      TierServer server =
          TierServer.start(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              store,
              GuardSettings.none(),
              TierAccess.anyone());
      try (server) {
        socket.connect(new InetSocketAddress(server.uri().getHost(), server.uri().getPort()));
        send(socket, method);
        assertThat(store.asked.await(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
      store.released.countDown();
      store.thread.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      assertThat(store.thread.isAlive()).isFalse();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }

    assertThat(uncaught).isEmpty();
  }

  private static void send(Socket socket, String method) throws IOException {
    String body = method.equals("PUT") ? BODY : "";
    String head =
        method
            + " /v1/tier HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  /** Answers when it is released, however often its thread is interrupted. */
  private static final class SlowStore implements TierStore {

    private final InMemoryTierStore store = new InMemoryTierStore("alluxio", 0, 1_000);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Thread thread;

    @Override
    public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
      waitUntilReleased();
      return store.resize(desiredBytes);
    }

    @Override
    public TierStatus status() throws StoreUnavailableException {
      waitUntilReleased();
      return store.status();
    }

    private void waitUntilReleased() {
      thread = Thread.currentThread();
      asked.countDown();
      boolean interrupted = false;
      while (released.getCount() > 0) {
        try {
          released.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
