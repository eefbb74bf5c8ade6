package io.dynims.flink;

import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;

/**
 * Mutual TLS between Flink's processes from PEM files, which Flink itself cannot read. They are
 * written to a key store that only this process's user can read, before Flink starts.
 */
final class InternalTls {

  private static final ConfigOption<String> CERTIFICATE = option("certificate");
  private static final ConfigOption<String> KEY = option("key");
  private static final ConfigOption<String> AUTHORITIES = option("ca");
  private static final String TYPE = "PKCS12";

  /** Flink's default has none for keys of elliptic curves. */
  private static final String SUITES =
      String.join(
          ",",
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

  private static final int PASSWORD_BYTES = 32;

  private InternalTls() {}

  private static ConfigOption<String> option(String name) {
    return ConfigOptions.key("dynims.internal.tls." + name).stringType().noDefaultValue();
  }

  /**
   * Turns TLS on if the configuration names a certificate.
   *
   * @throws IOException if a file cannot be used; the message names it
   */
  static void apply(Configuration flink) throws IOException, GeneralSecurityException {
    TlsFiles.Paths paths =
        new TlsFiles.Paths(path(flink, CERTIFICATE), path(flink, KEY), path(flink, AUTHORITIES));
    if (paths.isEmpty()) {
      return;
    }
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = HexFormat.of().formatHex(random);
    String file = write(TlsFiles.keyStore(paths, password.toCharArray()), password).toString();
    flink.set(SecurityOptions.SSL_INTERNAL_ENABLED, true);
    flink.set(SecurityOptions.SSL_ALGORITHMS, SUITES);
    flink.set(SecurityOptions.SSL_INTERNAL_KEYSTORE, file);
    flink.set(SecurityOptions.SSL_INTERNAL_KEYSTORE_TYPE, TYPE);
    flink.set(SecurityOptions.SSL_INTERNAL_KEYSTORE_PASSWORD, password);
    flink.set(SecurityOptions.SSL_INTERNAL_KEY_PASSWORD, password);
    flink.set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE, file);
    flink.set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_TYPE, TYPE);
    flink.set(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_PASSWORD, password);
  }

  private static Optional<Path> path(Configuration flink, ConfigOption<String> option) {
    return flink.getOptional(option).filter(text -> !text.isEmpty()).map(Path::of);
  }

  private static Path write(KeyStore store, String password)
      throws IOException, GeneralSecurityException {
    Path file =
        Files.createTempFile(
            "dynims-internal-",
            ".p12",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
    return file;
  }
}
