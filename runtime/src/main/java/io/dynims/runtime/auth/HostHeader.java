package io.dynims.runtime.auth;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;

/**
 * Whether a request means the server that it came to. A page in a browser reaches a server on
 * loopback if the page's owner points a name of his at 127.0.0.1; its requests then carry that
 * name.
 */
public final class HostHeader {

  /** What a request that is not meant is told. */
  public static final String NOT_MEANT =
      "'Host' is not a name of this machine's loopback address, on which this server listens: use"
          + " localhost, or have the proxy in between send 'Host: localhost'";

  private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "::1");

  private HostHeader() {}

  /**
   * Whether a request means this server; always true if that does not listen on loopback.
   *
   * @param listening the address that the server listens on
   * @param host the {@code Host} header; null if there is none
   */
  public static boolean isMeant(InetAddress listening, String host) {
    if (!listening.isLoopbackAddress()) {
      return true;
    }
    if (host == null) {
      return false;
    }
    String name =
        host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "").replaceAll("[\\[\\]]", "");
    return LOCAL_NAMES.contains(name) || name.equals(listening.getHostAddress());
  }
}
