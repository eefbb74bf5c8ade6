package io.dynims.controller.push;

import io.dynims.core.tls.TlsFiles;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.net.URI;

/** Where and how to connect to an adapter, by its http or https address. */
final class AdapterEndpoint {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private AdapterEndpoint() {}

  private static boolean isNeeded(URI adapter) {
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
    return isNeeded(adapter) ? HTTPS_PORT : HTTP_PORT;
  }

  /** How to connect. Without authorities of the settings' own, the JVM's are trusted. */
  static ConnectOptions connectOptions(URI adapter, PushSettings settings) {
    ConnectOptions options =
        new ConnectOptions()
            .setRemoteAddress(SocketAddress.inetSocketAddress(port(adapter), host(adapter)))
            // The certificate is checked against this name.
            .setHost(settings.serverName().orElse(host(adapter)))
            .setPort(port(adapter))
            .setSsl(isNeeded(adapter));
    if (options.isSsl()) {
      options.setSslOptions(sslOptions(settings));
    }
    return options;
  }

  /** The same for an HTTP client; the request's method and path are the caller's. */
  static RequestOptions requestOptions(URI adapter, PushSettings settings) {
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(port(adapter), host(adapter)))
            .setHost(settings.serverName().orElse(host(adapter)))
            .setPort(port(adapter))
            .setSsl(isNeeded(adapter))
            .putHeader(HttpHeaders.HOST, adapter.getAuthority());
    if (options.isSsl()) {
      options.setSslOptions(sslOptions(settings));
    }
    return options;
  }

  private static ClientSSLOptions sslOptions(PushSettings settings) {
    ClientSSLOptions options = new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
    settings
        .tls()
        .flatMap(TlsFiles::trustManager)
        .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
    settings
        .tls()
        .flatMap(TlsFiles::keyManager)
        .ifPresent(manager -> options.setKeyCertOptions(KeyCertOptions.wrap(manager)));
    return options;
  }
}
