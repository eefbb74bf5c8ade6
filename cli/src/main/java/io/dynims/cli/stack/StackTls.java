package io.dynims.cli.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.authority.LocalAuthority;
import io.dynims.core.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;

/**
 * TLS between the parts of a stack whose setting {@code tls.enabled} is true: one certificate for
 * all of them, of an authority of the stack's own. Everything is in a folder for its owner only.
 */
final class StackTls {

  private static final int VALID_DAYS = 3_650;
  private static final String CERTIFICATE = "certificate.pem";
  private static final String KEY = "key.pem";
  private static final String AUTHORITY = "ca.pem";

  /** Key and certificate in one file, as Kafka reads them. */
  private static final String BOTH = "key-and-certificate.pem";

  private static final String KAFKA_CLIENT = "kafka-client.properties";

  private final Path folder;
  private final boolean enabled;

  StackTls(StackHome home, StackSettings settings) {
    this.folder = home.tls();
    this.enabled = settings.tls();
  }

  /** Makes the certificates, if TLS is on and there are none. */
  void create() throws IOException, InterruptedException {
    if (!enabled || Files.exists(folder)) {
      return;
    }
    Path partial = folder.resolveSibling(folder.getFileName() + ".partial");
    Folders.remove(partial);
    Files.createDirectory(
        partial,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    TlsFiles.Paths issued = new LocalAuthority(partial, "dynims", VALID_DAYS).issue("dynims");
    Files.move(issued.certificate().orElseThrow(), partial.resolve(CERTIFICATE));
    Files.move(issued.key().orElseThrow(), partial.resolve(KEY));
    Files.move(issued.authorities().orElseThrow(), partial.resolve(AUTHORITY));
    Files.writeString(
        partial.resolve(BOTH),
        Files.readString(partial.resolve(KEY)) + Files.readString(partial.resolve(CERTIFICATE)));
    Files.writeString(partial.resolve(KAFKA_CLIENT), lines(kafkaProperties()), US_ASCII);
    Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  /** For HTTP clients of the stack; empty where TLS is off. */
  Optional<SSLContext> context() throws IOException {
    if (!enabled) {
      return Optional.empty();
    }
    try (TlsFiles files = TlsFiles.open(paths())) {
      return Optional.of(files.context());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates in " + folder + ": " + e, e);
    }
  }

  /** The adapter's options. */
  List<String> adapterOptions() {
    return enabled
        ? List.of("--http.tls.certificate=" + file(CERTIFICATE), "--http.tls.key=" + file(KEY))
        : List.of();
  }

  /** The controller's options. */
  List<String> controllerOptions() {
    return enabled
        ? List.of("--push.tls.ca=" + file(AUTHORITY), "--kafka.properties=" + file(KAFKA_CLIENT))
        : List.of();
  }

  /** The job's options. */
  List<String> jobOptions() {
    return enabled ? List.of("--kafka.properties=" + file(KAFKA_CLIENT)) : List.of();
  }

  /** The protocol of the broker's listener. */
  String kafkaProtocol() {
    return enabled ? "SSL" : "PLAINTEXT";
  }

  /** Lines of the broker's configuration that follow another. */
  String kafkaLines() {
    return enabled ? "\nssl.client.auth=required\n" + lines(keyStoreProperties()).strip() : "";
  }

  /** What a Kafka client of the stack needs beside the broker's address. */
  Map<String, Object> kafkaProperties() {
    Map<String, Object> properties = new TreeMap<>();
    if (enabled) {
      properties.put("security.protocol", kafkaProtocol());
      properties.putAll(keyStoreProperties());
    }
    return properties;
  }

  /**
   * Copies what collectd needs to where it can read it.
   *
   * @param to collectd's folder
   * @return options of render-collectd-conf
   */
  List<String> collectdOptions(Path to) throws IOException {
    if (!enabled) {
      return List.of();
    }
    for (String name : List.of(CERTIFICATE, KEY, AUTHORITY)) {
      Files.copy(file(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    return List.of(
        "--property",
        "security.protocol=ssl",
        "--property",
        "ssl.ca.location=" + to.resolve(AUTHORITY),
        "--property",
        "ssl.certificate.location=" + to.resolve(CERTIFICATE),
        "--property",
        "ssl.key.location=" + to.resolve(KEY));
  }

  /**
   * Files that only collectd may read.
   *
   * @param configuration as it was rendered with {@link #collectdOptions}
   */
  List<Path> collectdSecrets(Path configuration) {
    return enabled ? List.of(configuration, configuration.resolveSibling(KEY)) : List.of();
  }

  private TlsFiles.Paths paths() {
    return new TlsFiles.Paths(
        Optional.of(file(CERTIFICATE)), Optional.of(file(KEY)), Optional.of(file(AUTHORITY)));
  }

  private Map<String, Object> keyStoreProperties() {
    return Map.of(
        "ssl.keystore.type",
        "PEM",
        "ssl.keystore.location",
        file(BOTH).toString(),
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        file(AUTHORITY).toString());
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private static String lines(Map<String, Object> properties) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(properties)
        .forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return text.toString();
  }
}
