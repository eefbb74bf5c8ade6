package io.dynims.controller.push;

import io.dynims.core.tls.TlsFiles;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.net.URI;

/** How adapters with an https address are connected to. */
final class AdapterTls {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private AdapterTls() {}

  static boolean isNeeded(URI adapter) {
    return adapter.getScheme().equals("https");
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
