package io.dynims.controller.push;

import io.dynims.runtime.tls.TlsFiles;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.util.Optional;

/**
 * How connections to adapters with an https address are made. They share one object of options, and
 * Vert.x then makes one TLS context for all of them.
 *
 * @param options without authorities of their own, the JVM's are trusted
 * @param serverName the name that every adapter's certificate has to have; empty for its host
 */
public record AdapterTls(ClientSSLOptions options, Optional<String> serverName) {

  /** Options that check the certificate's name. */
  public static AdapterTls of(Optional<TlsFiles> files, Optional<String> serverName) {
    ClientSSLOptions options = new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
    files
        .flatMap(TlsFiles::trustManager)
        .ifPresent(manager -> options.setTrustOptions(TrustOptions.wrap(manager)));
    files
        .flatMap(TlsFiles::keyManager)
        .ifPresent(manager -> options.setKeyCertOptions(KeyCertOptions.wrap(manager)));
    return new AdapterTls(options, serverName);
  }
}
