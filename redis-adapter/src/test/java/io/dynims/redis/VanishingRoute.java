package io.dynims.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A way to a server on which connections can vanish as behind NAT: they stay open, and no byte
 * comes through.
 */
final class VanishingRoute implements AutoCloseable {

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final InetSocketAddress server;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();

  private static final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean vanished;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }
  }

  VanishingRoute(InetSocketAddress server) throws IOException {
    this.server = server;
    start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
  }

  /** New connections come through. */
  void vanish() {
    connections.forEach(each -> each.vanished = true);
  }

  private void accept() throws IOException {
    while (true) {
      Connection next =
          new Connection(listening.accept(), new Socket(server.getAddress(), server.getPort()));
      connections.add(next);
      start(() -> forward(next, next.client, next.server));
      start(() -> forward(next, next.server, next.client));
    }
  }

  private static void forward(Connection connection, Socket from, Socket to) throws IOException {
    byte[] buffer = new byte[8_192];
    InputStream in = from.getInputStream();
    for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
      if (!connection.vanished) {
        to.getOutputStream().write(buffer, 0, bytes);
      }
    }
    if (!connection.vanished) {
      to.close();
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The connection is closed.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Connection each : connections) {
      each.client.close();
      each.server.close();
    }
  }
}
