package io.dynims.controller.push;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;

/** Where and how to connect to an adapter, by its http or https address. */
final class AdapterEndpoint {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private AdapterEndpoint() {}

  private static boolean isHttps(URI adapter) {
    return adapter.getScheme().equals("https");
  }

  /** The host as sockets take it: an IPv6 address without its brackets. */
  private static String host(URI adapter) {
    return adapter.getHost().replaceAll("[\\[\\]]", "");
  }

  private static int port(URI adapter) {
    if (adapter.getPort() >= 0) {
      return adapter.getPort();
    }
    return isHttps(adapter) ? HTTPS_PORT : HTTP_PORT;
  }

  /** How to connect. */
  static ConnectOptions connectOptions(URI adapter, AdapterTls tls) {
    ConnectOptions options =
        new ConnectOptions()
            .setRemoteAddress(SocketAddress.inetSocketAddress(port(adapter), host(adapter)))
            // The certificate is checked against this name.
            .setHost(tls.serverName().orElse(host(adapter)))
            .setPort(port(adapter))
            .setSsl(isHttps(adapter));
    if (options.isSsl()) {
      options.setSslOptions(tls.options());
    }
    return options;
  }

  /** The same for an HTTP client; the request's method and path are the caller's. */
  static RequestOptions requestOptions(URI adapter, AdapterTls tls) {
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(port(adapter), host(adapter)))
            .setHost(tls.serverName().orElse(host(adapter)))
            .setPort(port(adapter))
            .setSsl(isHttps(adapter))
            .putHeader(HttpHeaders.HOST, adapter.getAuthority());
    if (options.isSsl()) {
      options.setSslOptions(tls.options());
    }
    return options;
  }
}
