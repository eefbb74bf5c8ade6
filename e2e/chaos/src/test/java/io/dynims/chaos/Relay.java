package io.dynims.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Relays TCP connections on loopback to a port, and can act as a network that is cut: it holds what
 * arrives, as if packets got lost, or closes and refuses connections.
 */
final class Relay implements AutoCloseable {

  /** What it does with what arrives. */
  enum Mode {
    Pass,
    Hold,
    Refuse
  }

  private static final int BUFFER_BYTES = 16 << 10;

  private final ServerSocket server;
  private final int toPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Object changed = new Object();
  private Mode mode = Mode.Pass;

  /** Listens on a free port. */
  Relay(int toPort) throws IOException {
    this.toPort = toPort;
    this.server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    start(this::acceptAll, "relay");
  }

  int port() {
    return server.getLocalPort();
  }

  void set(Mode newMode) throws IOException {
    synchronized (changed) {
      mode = newMode;
      changed.notifyAll();
    }
    if (newMode == Mode.Refuse) {
      closeAll();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    set(Mode.Refuse);
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket near = server.accept();
        open.add(near);
        if (current() == Mode.Refuse) {
          near.close();
        } else {
          start(() -> connect(near), "relay-connect");
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void connect(Socket near) {
    try {
      Socket far = new Socket(InetAddress.getLoopbackAddress(), toPort);
      open.add(far);
      start(() -> copy(near, far), "relay-out");
      copy(far, near);
    } catch (IOException e) {
      close(near);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      from.setTcpNoDelay(true);
      for (int read = from.getInputStream().read(buffer);
          read >= 0;
          read = from.getInputStream().read(buffer)) {
        awaitPassing();
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One side is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private Mode current() {
    synchronized (changed) {
      return mode;
    }
  }

  private void awaitPassing() throws InterruptedException {
    synchronized (changed) {
      while (mode == Mode.Hold) {
        changed.wait();
      }
    }
  }

  private void closeAll() {
    open.forEach(this::close);
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to close.
    }
  }

  private static void start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
