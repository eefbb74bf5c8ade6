package io.dynims.experiments.bench.hostile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients without credentials on this machine that send what a server should not fall for, leave
 * connections open, or never read: what any user's job on a node could do.
 */
final class HostileClients implements AutoCloseable {

  private static final int THREADS = 4;
  private static final int OPEN_PER_THREAD = 50;
  private static final int CONNECT_MILLIS = 5_000;

  /** As small as the kernel lets it be, so that a server soon has to wait for the reader. */
  private static final int RECEIVE_BYTES = 2_048;

  private static final String LOCAL = " HTTP/1.1\r\nHost: localhost\r\n";

  /** What a client sends before it leaves the connection as it is. */
  private static final List<String> NASTY =
      List.of(
          "",
          "G",
          "GET /v1/tier HTTP/1.1\r\nHost: loc",
          "PUT /v1/tier" + LOCAL + "Content-Length: 100\r\n\r\n{",
          "PUT /v1/tier" + LOCAL + "Content-Length: 99999999999\r\n\r\n{",
          "PUT /v1/tier" + LOCAL + "Transfer-Encoding: chunked\r\n\r\nffffff\r\n",
          put("", 0),
          put("Authorization: Bearer 0123456789abcdef\r\n", 9_999_999_999_999L),
          "GET /api/v1/tiers HTTP/1.1\r\nHost: evil.example\r\n\r\n",
          "GET /api/v1/tiers/" + "a".repeat(10_000) + LOCAL + "\r\n",
          "GET /metrics HTTP/1.1\r\n" + "X: y\r\n".repeat(3_000) + "\r\n",
          ("GET /metrics" + LOCAL + "\r\n").repeat(50),
          ("GET /v1/tier" + LOCAL + "\r\n").repeat(50),
          "POST /api/v1/tiers" + LOCAL + "Content-Length: 16777216\r\n\r\n" + "x".repeat(65_536),
          "\u0000\u0001\u0002\u0003\r\n\r\n");

  private final List<Integer> ports;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Socket> readers = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean closed;

  /**
   * Begins; goes on until it is closed.
   *
   * @param ports of servers on loopback, which get the same number of connections each
   */
  HostileClients(List<Integer> ports) {
    this.ports = ports;
    for (int i = 0; i < THREADS; i++) {
      int first = i;
      Thread thread = new Thread(() -> disturb(first), "hostile-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** A request that would resize the tier, but for its token. */
  private static String put(String header, long bytes) {
    String body =
        "{\"desiredBytes\":%d,\"sampledMillis\":%d,\"leaseMillis\":60000}"
            .formatted(bytes, System.currentTimeMillis());
    return "PUT /v1/tier" + LOCAL + header + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  /** Opens streams of events that nobody reads. */
  void openStreams(int port, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(RECEIVE_BYTES);
      socket.connect(address(port), CONNECT_MILLIS);
      socket.getOutputStream().write(("GET /api/v1/stream" + LOCAL + "\r\n").getBytes(US_ASCII));
      readers.add(socket);
    }
  }

  /** Connections so far. */
  int made() {
    return made.get();
  }

  /** Those of them that a server ended while the client was still sending. */
  int refused() {
    return refused.get();
  }

  private void disturb(int first) {
    Deque<Socket> open = new ArrayDeque<>();
    for (int i = first; !closed; i += THREADS) {
      try {
        open.add(connection(i));
      } catch (IOException e) {
        refused.incrementAndGet();
      }
      made.incrementAndGet();
      if (open.size() > OPEN_PER_THREAD) {
        close(open.remove());
      }
    }
    open.forEach(HostileClients::close);
  }

  private Socket connection(int number) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address(ports.get(number / THREADS % ports.size())), CONNECT_MILLIS);
      String text = NASTY.get(number / THREADS / ports.size() % NASTY.size());
      socket.getOutputStream().write(text.getBytes(US_ASCII));
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
    readers.forEach(HostileClients::close);
  }
}
