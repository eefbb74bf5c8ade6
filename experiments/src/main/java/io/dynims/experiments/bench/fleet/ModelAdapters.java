package io.dynims.experiments.bench.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The simulated nodes' adapters: one thread serves the Tier API of every node at its own address
 * and parses only the fields it needs.
 */
final class ModelAdapters implements AutoCloseable {

  private static final int BUFFER_BYTES = 2_048;
  private static final int HOSTS = 250;
  private static final byte[] END = "\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] LENGTH = "content-length:".getBytes(US_ASCII);
  private static final byte[] DESIRED = "\"desiredBytes\":".getBytes(US_ASCII);
  private static final byte[] SAMPLED = "\"sampledMillis\":".getBytes(US_ASCII);
  private static final byte[] TERM = "\"term\":".getBytes(US_ASCII);
  private static final byte[] SUPERSEDED =
      ("HTTP/1.1 409 Conflict\r\nContent-Type: application/problem+json\r\nContent-Length: 47"
              + "\r\n\r\n{\"title\":\"Superseded\",\"status\":409,\"detail\":\"\"}")
          .getBytes(US_ASCII);

  private final ModelNodes nodes;
  private final Ticks ticks;
  private final PushWatch pushes;
  private final Selector selector = Selector.open();
  private final List<URI> addresses = new ArrayList<>();
  private final long[] sampledMillis;
  private final Thread thread = new Thread(this::run, "adapters");
  private volatile boolean closed;

  /** A connection with what has been read of a request. */
  private static final class Connection {

    final int node;
    final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES);

    Connection(int node) {
      this.node = node;
    }
  }

  ModelAdapters(ModelNodes nodes, Ticks ticks) throws IOException {
    this.nodes = nodes;
    this.ticks = ticks;
    this.pushes = new PushWatch(nodes.count());
    this.sampledMillis = new long[nodes.count()];
    for (int node = 0; node < nodes.count(); node++) {
      addresses.add(listen(node));
    }
    thread.start();
  }

  List<URI> addresses() {
    return addresses;
  }

  PushWatch pushes() {
    return pushes;
  }

  private URI listen(int node) throws IOException {
    // All addresses in 127.0.0.0/8 belong to this machine.
    InetAddress host =
        InetAddress.getByAddress(
            new byte[] {127, 1, (byte) (node / HOSTS), (byte) (1 + node % HOSTS)});
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(host, 0));
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT, node);
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    return URI.create("http://" + host.getHostAddress() + ":" + port);
  }

  private void run() {
    while (!closed) {
      try {
        selector.select(this::serve);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private void serve(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(
            selector, SelectionKey.OP_READ, new Connection((Integer) key.attachment()));
      } else {
        read(key);
      }
    } catch (IOException e) {
      key.cancel();
      closeQuietly(key);
    }
  }

  private void read(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    Connection connection = (Connection) key.attachment();
    if (channel.read(connection.in) < 0) {
      channel.close();
      return;
    }
    byte[] text = Arrays.copyOf(connection.in.array(), connection.in.position());
    int end = AckRecorder.indexOf(text, END);
    if (end < 0 || text.length < end + END.length + bodyLength(text, end)) {
      return;
    }
    connection.in.clear();
    boolean refused = text[0] == 'P' && !resize(connection.node, text);
    ByteBuffer response = refused ? ByteBuffer.wrap(SUPERSEDED) : response(connection.node);
    while (response.hasRemaining()) {
      channel.write(response);
    }
  }

  private static int bodyLength(byte[] text, int end) {
    for (int i = 0; i < end - LENGTH.length; i++) {
      if (isLength(text, i)) {
        String line = new String(text, i + LENGTH.length, end - i - LENGTH.length, US_ASCII);
        int newline = line.indexOf('\r');
        return Integer.parseInt((newline < 0 ? line : line.substring(0, newline)).trim());
      }
    }
    return 0;
  }

  private static boolean isLength(byte[] text, int at) {
    for (int i = 0; i < LENGTH.length; i++) {
      if ((text[at + i] | 0x20) != (LENGTH[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  /** False if another controller has the node by now. */
  private boolean resize(int node, byte[] request) {
    if (!pushes.accept(node, number(request, TERM), System.nanoTime())) {
      return false;
    }
    long sampled = number(request, SAMPLED);
    nodes.resize(node, number(request, DESIRED));
    sampledMillis[node] = sampled;
    ticks.answered(node, sampled, System.currentTimeMillis());
    return true;
  }

  private static long number(byte[] text, byte[] field) {
    int at = AckRecorder.indexOf(text, field);
    long number = 0;
    for (int i = at + field.length; at >= 0 && text[i] >= '0' && text[i] <= '9'; i++) {
      number = number * 10 + text[i] - '0';
    }
    return number;
  }

  private ByteBuffer response(int node) {
    String sampled =
        sampledMillis[node] == 0
            ? ""
            : ",\"sampledMillis\":" + sampledMillis[node] + ",\"leaseHeld\":true";
    String body =
        "{\"tier\":\"alluxio\",\"capacityBytes\":"
            + nodes.capacityBytes(node)
            + ",\"minBytes\":0,\"maxBytes\":"
            + ModelNodes.MAX_TIER_BYTES
            + ",\"usedBytes\":"
            + nodes.tierBytes(node)
            + ",\"reservedBytes\":0,\"unevictableBytes\":0,\"storeVersion\":\"model\","
            + "\"nodeMemoryBytes\":"
            + ModelNodes.TOTAL_BYTES
            + sampled
            + "}";
    return ByteBuffer.wrap(
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body)
            .getBytes(US_ASCII));
  }

  private static void closeQuietly(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException e) {
      // The connection is closed anyway.
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    selector.wakeup();
    thread.join();
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
