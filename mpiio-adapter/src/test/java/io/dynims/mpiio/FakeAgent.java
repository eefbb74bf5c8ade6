package io.dynims.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** An agent of a few lines, with connections of a thread each. */
final class FakeAgent implements AutoCloseable {

  /** What it answers unless it is told something else; it has 64 blocks of 1 MiB. */
  static final String STATUS =
      "{\"capacityBytes\":33554432,\"maxBytes\":67108864,\"blockBytes\":1048576,"
          + "\"usedBytes\":20971520,\"residentBytes\":22020096,\"dirtyBytes\":3000000,"
          + "\"unevictableBytes\":2000000,\"hits\":30,\"misses\":10,\"hitBytes\":300,"
          + "\"missBytes\":100,\"bypassedReads\":5,\"passedThrough\":6,\"evictedBlocks\":7,"
          + "\"flushedBytes\":8,\"flushErrors\":9,\"files\":2,\"ranks\":4,\"version\":\"0.1.0\"}";

  private final Path socket;
  private final ServerSocketChannel server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
  private volatile UnaryOperator<String> answers = request -> STATUS;

  FakeAgent(MpiIoSettings settings) throws IOException {
    socket = settings.controlSocket();
    Files.createDirectories(settings.directory());
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    start("fake-agent", this::accept);
  }

  /** What it answers to a request from now on; empty for nothing. */
  void answer(UnaryOperator<String> newAnswers) {
    answers = newAnswers;
  }

  /** Every request so far. */
  List<String> requests() {
    return requests;
  }

  /** What it answers to a resize. */
  static String resized(boolean reached) {
    return STATUS.replace("}", ",\"reached\":" + reached + "}");
  }

  private void accept() throws IOException {
    while (true) {
      SocketChannel connection = server.accept();
      connections.add(connection);
      start("fake-agent-connection", () -> serve(connection));
    }
  }

  private void serve(SocketChannel connection) throws IOException {
    BufferedReader in = new BufferedReader(Channels.newReader(connection, UTF_8));
    for (String request = in.readLine(); request != null; request = in.readLine()) {
      requests.add(request);
      String answer = answers.apply(request);
      if (!answer.isEmpty()) {
        // In two parts, as they may arrive.
        int half = answer.length() / 2;
        connection.write(ByteBuffer.wrap(answer.substring(0, half).getBytes(UTF_8)));
        connection.write(ByteBuffer.wrap((answer.substring(half) + "\n").getBytes(UTF_8)));
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One side has closed the connection.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel connection : connections) {
      connection.close();
    }
    Files.deleteIfExists(socket);
  }
}
