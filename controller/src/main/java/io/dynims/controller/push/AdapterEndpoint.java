package io.dynims.controller.push;

import io.dynims.core.tls.TlsFiles;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;

/** Where and how to connect to an adapter, by its http or https address. */
final class AdapterEndpoint {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private AdapterEndpoint() {}

  static boolean isNeeded(URI adapter) {
    return adapter.getScheme().equals("https");
  }

  /** The host as sockets take it: an IPv6 address without its brackets. */
  static String host(URI adapter) {
    return adapter.getHost().replaceAll("[\\[\\]]", "");
  }

  static int port(URI adapter) {
    if (adapter.getPort() >= 0) {
      return adapter.getPort();
    }
    return isNeeded(adapter) ? HTTPS_PORT : HTTP_PORT;
  }

  /** Without authorities of its own, the JVM's are trusted. */
  static ClientSSLOptions options(PushSettings settings) {
    ClientSSLOptions options =
        new ClientSSLOptions()
            .setHostnameVerificationAlgorithm(settings.verifyHosts() ? "HTTPS" : "");
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
