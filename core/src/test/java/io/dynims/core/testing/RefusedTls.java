package io.dynims.core.testing;

import java.io.EOFException;
import java.net.SocketException;
import java.util.Locale;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * How a refused TLS handshake shows. Whether the alert of the side that refuses arrives before the
 * connection ends is a matter of time, and of the version of TLS: if it does not, the other side
 * sees a read or a write fail, or the end of the stream.
 */
public final class RefusedTls {

  private RefusedTls() {}

  /** Whether this failure, or one of its causes, can come of a refused handshake. */
  public static boolean isSeenIn(Throwable failure) {
    return Stream.iterate(failure, each -> each != null, Throwable::getCause)
        .anyMatch(RefusedTls::isRefusal);
  }

  private static boolean isRefusal(Throwable failure) {
    // Those of the subclasses of SocketException come before a handshake: nobody listens, no route.
    return failure instanceof SSLException
        || failure instanceof EOFException
        || failure.getClass() == SocketException.class
        || isOfAChannel(failure);
  }

  /** Channels name the end of a connection in the message only. */
  private static boolean isOfAChannel(Throwable failure) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("broken pipe") || message.contains("connection reset");
  }
}
