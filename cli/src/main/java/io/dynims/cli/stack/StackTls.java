package io.dynims.cli.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
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
 * TLS between the parts of a stack whose setting {@code tls.enabled} is true: a certificate for the
 * adapter, one by which the adapter knows the controller, and one for all else, of an authority of
 * the stack's own. Everything is in a folder for its owner only.
 */
final class StackTls {

  private static final int VALID_DAYS = 3_650;
  private static final String SHARED = "dynims";
  private static final String ADAPTER = "adapter";
  private static final String CONTROLLER = "controller";
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
    if (!enabled || Files.exists(certificate(CONTROLLER))) {
      return;
    }
    Path partial = folder.resolveSibling(folder.getFileName() + ".partial");
    Folders.remove(partial);
    Files.createDirectory(
        partial,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    LocalAuthority authority = new LocalAuthority(partial, "dynims", VALID_DAYS);
    for (String name : List.of(SHARED, ADAPTER, CONTROLLER)) {
      TlsFiles.Paths issued = authority.issue(name);
      Files.move(issued.certificate().orElseThrow(), partial.resolve(certificateName(name)));
      Files.move(issued.key().orElseThrow(), partial.resolve(keyName(name)));
    }
    Files.move(authority.authorities(), partial.resolve(AUTHORITY));
    Files.writeString(
        partial.resolve(BOTH),
        Files.readString(partial.resolve(keyName(SHARED)))
            + Files.readString(partial.resolve(certificateName(SHARED))));
    Files.writeString(partial.resolve(KAFKA_CLIENT), lines(kafkaProperties()), US_ASCII);
    Folders.remove(folder); // Of an earlier version, without the controller's.
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
        ? List.of(
            "--http.tls.certificate=" + certificate(ADAPTER),
            "--http.tls.key=" + key(ADAPTER),
            "--http.tls.ca=" + file(AUTHORITY),
            "--http.tls.client.name=" + CONTROLLER)
        : List.of();
  }

  /**
   * The controller's options.
   *
   * @param token which it shows to the adapter where it has no certificate
   */
  List<String> controllerOptions(Path token) {
    return enabled
        ? List.of(
            "--push.tls.ca=" + file(AUTHORITY),
            "--push.tls.certificate=" + certificate(CONTROLLER),
            "--push.tls.key=" + key(CONTROLLER),
            "--kafka.properties=" + file(KAFKA_CLIENT))
        : List.of("--push.token.file=" + token);
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
    for (Path file : List.of(certificate(SHARED), key(SHARED), file(AUTHORITY))) {
      Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    return List.of(
        "--property",
        "security.protocol=ssl",
        "--property",
        "ssl.ca.location=" + to.resolve(AUTHORITY),
        "--property",
        "ssl.certificate.location=" + to.resolve(certificateName(SHARED)),
        "--property",
        "ssl.key.location=" + to.resolve(keyName(SHARED)));
  }

  /**
   * Files that only collectd may read.
   *
   * @param configuration as it was rendered with {@link #collectdOptions}
   */
  List<Path> collectdSecrets(Path configuration) {
    return enabled
        ? List.of(configuration, configuration.resolveSibling(keyName(SHARED)))
        : List.of();
  }

  private TlsFiles.Paths paths() {
    return new TlsFiles.Paths(
        Optional.of(certificate(SHARED)), Optional.of(key(SHARED)), Optional.of(file(AUTHORITY)));
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

  private Path certificate(String owner) {
    return file(certificateName(owner));
  }

  private Path key(String owner) {
    return file(keyName(owner));
  }

  private static String certificateName(String owner) {
    return owner + ".pem";
  }

  private static String keyName(String owner) {
    return owner + "-key.pem";
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
