package io.dynims.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection to the agent's control socket: one line asks, one line answers. It never blocks, as
 * Unix sockets have no timeout of their own. Thread-safe; one request at a time.
 */
final class ControlConnection implements AutoCloseable {

  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private final Selector selector;
  private final SocketChannel channel;
  private final Duration timeout;

  /**
   * Connects.
   *
   * @param socket the path of the agent's socket
   * @param timeout how long an answer may take
   * @throws IOException if nobody listens there, or no more connections are accepted
   */
  ControlConnection(Path socket, Duration timeout) throws IOException {
    this.timeout = timeout;
    selector = Selector.open();
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      // A Unix socket connects at once, unless the queue of an agent that hangs is full.
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        throw new IOException("too many connections wait to be accepted");
      }
      channel.register(selector, SelectionKey.OP_READ);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /**
   * Sends a request and returns its answer, without the end of the line.
   *
   * @throws IOException if there is no whole answer in time; the connection is of no use then
   */
  synchronized byte[] ask(String request) throws IOException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    ByteBuffer line = ByteBuffer.wrap((request + "\n").getBytes(UTF_8));
    if (channel.write(line) == 0 || line.hasRemaining()) {
      throw new IOException("it does not read its requests");
    }
    ByteBuffer answer = ByteBuffer.allocate(MAX_ANSWER_BYTES);
    while (answer.position() == 0 || answer.get(answer.position() - 1) != '\n') {
      if (!answer.hasRemaining()) {
        throw new IOException("an answer has more than " + MAX_ANSWER_BYTES + " bytes");
      }
      int read = channel.read(answer);
      if (read < 0) {
        throw new IOException("the connection was closed");
      }
      if (read == 0) {
        await(request, deadlineNanos);
      }
    }
    byte[] bytes = new byte[answer.position() - 1];
    answer.flip().get(bytes);
    return bytes;
  }

  /** Waits until there is more to read. */
  private void await(String request, long deadlineNanos) throws IOException {
    long leftMillis = Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis();
    if (leftMillis <= 0) {
      throw new IOException("no answer to '" + request + "' within " + timeout.toMillis() + " ms");
    }
    try {
      selector.select(key -> {}, leftMillis);
    } catch (ClosedSelectorException e) {
      throw new IOException("the connection was closed", e);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the adapter is shutting down");
    }
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() {
    try (selector;
        channel) {
      // Closing is all there is to do.
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }
}
