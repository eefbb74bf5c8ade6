package io.dynims.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A controller pushes while strangers do what they can: {@code -Dhostile.connections=10000} for as
 * many connections as the documentation tells of. How long the pushes took is printed.
 */
class HostileClientsTest {

  private static final String TOKEN = "a-token-of-this-test";
  private static final int CONNECTIONS = Integer.getInteger("hostile.connections", 1_000);
  private static final int OPEN_AT_A_TIME = 200;
  private static final int STRANGERS = 4;
  private static final int PUSHES_AT_REST = 100;

  /** One for the network, one for changes, one for everything else. */
  private static final int SERVER_THREADS = 3;

  private static final int MAX_PUSHES = 100_000;
  private static final long PACE_MILLIS = 10;

  /** What a stranger sends, before it leaves the connection open or closes it. */
  private static final List<String> NASTY =
      List.of(
          "",
          "G",
          "GET /v1/tier HTTP/1.1\r\nHost: loc",
          "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
          "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n{",
          "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n",
          "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + "x".repeat(20)
              + "\r\nContent-Length: 2\r\n\r\n{}",
          "GET /v1/tier HTTP/1.1\r\nHost: evil.example\r\n\r\n",
          "GET /" + "a".repeat(10_000) + " HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(3_000) + "\r\n",
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50),
          "\u0000\u0001\u0002\u0003\r\n\r\n");

  @TempDir private Path folder;

  @Test
  void pushesGoOn() throws Exception {
    InMemoryTierStore store = new InMemoryTierStore("alluxio", 0, 1_000_000_000);
    Path file = Files.writeString(folder.resolve("token"), TOKEN);
    try (TokenFile tokens = TokenFile.open(file);
        TierServer server =
            TierServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                store,
                GuardSettings.none(),
                TierAccess.holdersOf(tokens))) {
      TierClient controller = new TierClient(server.uri(), Optional.of(TOKEN), Optional.empty());
      long[] disturbed = new long[MAX_PUSHES];
      long[] atRest = new long[PUSHES_AT_REST];
      for (int i = 0; i < PUSHES_AT_REST; i++) {
        atRest[i] = push(controller, i);
      }
      long heapBefore = heapBytes();

      int count = 0;
      ExecutorService strangers = Executors.newFixedThreadPool(STRANGERS);
      try {
        List<Future<?>> all =
            IntStream.range(0, STRANGERS)
                .<Future<?>>mapToObj(
                    i ->
                        strangers.submit(
                            () -> disturb(server.uri().getPort(), CONNECTIONS / STRANGERS)))
                .toList();
        while (count < MAX_PUSHES && all.stream().anyMatch(each -> !each.isDone())) {
          disturbed[count] = push(controller, count);
          count++;
        }
        for (Future<?> each : all) {
          each.get();
        }
      } finally {
        strangers.shutdown();
      }

      assertThat(store.status().capacityBytes()).as("the last push").isEqualTo(count - 1L);
      await().untilAsserted(() -> assertThat(serverThreads()).isLessThanOrEqualTo(SERVER_THREADS));
      await()
          .untilAsserted(
              () -> assertThat(heapBytes()).isLessThan(heapBefore + heapBefore / 10 + (1 << 20)));
      System.out.printf(
          Locale.ROOT,
          "hostile clients: %d connections beside %d pushes; p50 %.1f to %.1f ms, p99 %.1f to %.1f ms;"
              + " heap %d to %d KiB%n",
          CONNECTIONS,
          count,
          percentile(atRest, PUSHES_AT_REST, 50),
          percentile(disturbed, count, 50),
          percentile(atRest, PUSHES_AT_REST, 99),
          percentile(disturbed, count, 99),
          heapBefore >> 10,
          heapBytes() >> 10);
    }
  }

  /** One push and a pause; returns how long the push took. */
  private static long push(TierClient controller, long bytes) throws InterruptedException {
    long startNanos = System.nanoTime();
    TierReply reply = controller.put(new TierRequest(bytes, System.currentTimeMillis(), 60_000));
    long tookNanos = System.nanoTime() - startNanos;
    assertThat(reply.status()).as(reply.message()).isEqualTo(AckStatus.Applied);
    Thread.sleep(PACE_MILLIS);
    return tookNanos;
  }

  private static void disturb(int port, int connections) {
    Deque<Socket> open = new ArrayDeque<>();
    try {
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(socket);
        try {
          socket.getOutputStream().write(NASTY.get(i % NASTY.size()).getBytes(US_ASCII));
        } catch (IOException e) {
          // The server has ended the connection already.
        }
        if (open.size() > OPEN_AT_A_TIME / STRANGERS) {
          open.remove().close();
        }
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double percentile(long[] nanos, int count, int percent) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, count * percent / 100)] / 1e6;
  }

  private static long serverThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tier-api"))
        .count();
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
