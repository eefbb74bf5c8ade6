package io.dynims.redis;

import io.dynims.runtime.tls.TlsFiles;
import io.lettuce.core.SslOptions;
import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;

/** TLS for connections to a server, from PEM files that may change. */
final class RedisTls {

  private RedisTls() {}

  static SslOptions options(TlsFiles files) {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    files
        .trustManager()
        .ifPresent(manager -> ssl.trustManager(new TrustManagerFactoryWrapper(manager)));
    files.keyManager().ifPresent(manager -> ssl.keyManager(new KeyManagerFactoryWrapper(manager)));
    return ssl.build();
  }
}
