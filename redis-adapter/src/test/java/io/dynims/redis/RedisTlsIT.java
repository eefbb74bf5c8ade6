package io.dynims.redis;

import static io.dynims.redis.RedisProcess.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Redis server that speaks nothing but TLS, and asks clients for a certificate. */
class RedisTlsIT {

  private static final long LIMIT_BYTES = 64L << 20;

  @TempDir private static Path authorities;
  private static LocalAuthority authority;
  private static LocalAuthority others;
  private static TlsFiles.Paths issuedToServer;
  private static TlsFiles.Paths issuedToClient;
  private static TlsFiles.Paths issuedByOthers;

  @TempDir private Path folder;
  private TlsFiles.Paths serverPaths;
  private TlsFiles.Paths clientPaths;
  @AutoClose private TlsFiles ofClient;
  @AutoClose private ServerProcess server;

  @BeforeAll
  static void issue() throws Exception {
    authority = new LocalAuthority(authorities, "authority", 1);
    others = new LocalAuthority(authorities, "others", 1);
    issuedToServer = authority.issue("redis");
    issuedToClient = authority.issue("dynims");
    issuedByOthers = others.issue("anyone");
  }

  @BeforeEach
  void serve() throws Exception {
    serverPaths = files("redis");
    copy(issuedToServer, serverPaths);
    clientPaths = files("dynims");
    copy(issuedToClient, clientPaths);
    ofClient = TlsFiles.open(clientPaths);
    server =
        new ServerProcess(RedisProcess.PROGRAM, "--tls-port", options(), "PING", sockets(ofClient));
  }

  private TlsFiles.Paths files(String name) {
    return new TlsFiles.Paths(
        Optional.of(folder.resolve(name + ".pem")),
        Optional.of(folder.resolve(name + "-key.pem")),
        Optional.of(folder.resolve(name + "-ca.pem")));
  }

  private List<String> options() {
    return RedisProcess.options(
        LIMIT_BYTES,
        List.of(
            "--port",
            "0",
            "--tls-auth-clients",
            "yes",
            "--tls-cert-file",
            serverPaths.certificate().orElseThrow().toString(),
            "--tls-key-file",
            serverPaths.key().orElseThrow().toString(),
            "--tls-ca-cert-file",
            serverPaths.authorities().orElseThrow().toString()));
  }

  private static SocketFactory sockets(TlsFiles files) throws GeneralSecurityException {
    return files.context().getSocketFactory();
  }

  private LimitedTier tier(Optional<TlsFiles> files) throws InterruptedException {
    return RedisProcess.tier(RedisProcess.settings(server, Optional.empty(), files), LIMIT_BYTES);
  }

  @Test
  void resizesAndReconnects() throws Exception {
    try (LimitedTier tier = tier(Optional.of(ofClient))) {
      assertThat(tier.resize(LIMIT_BYTES / 2).capacityBytes()).isEqualTo(LIMIT_BYTES / 2);

      server.kill();
      server.start();

      await().until(() -> tier.status().capacityBytes() == LIMIT_BYTES / 2);
    }
  }

  @Test
  void namesTheFileOfAuthoritiesThatDoNotVouchForTheServer() throws Exception {
    Path wrongFile = others.authorities();
    TlsFiles.Paths paths =
        new TlsFiles.Paths(clientPaths.certificate(), clientPaths.key(), Optional.of(wrongFile));
    try (TlsFiles wrong = TlsFiles.open(paths);
        LimitedTier tier = tier(Optional.of(wrong))) {
      RedisProcess.awaitReason(
          tier, address() + " shows a certificate that " + wrongFile + " does not vouch for: PKIX");
    }
  }

  @Test
  void namesTheFileOfACertificateThatTheServerRefuses() throws Exception {
    TlsFiles.Paths paths =
        new TlsFiles.Paths(
            issuedByOthers.certificate(), issuedByOthers.key(), clientPaths.authorities());
    try (TlsFiles wrong = TlsFiles.open(paths);
        LimitedTier tier = tier(Optional.of(wrong))) {
      RedisProcess.awaitReason(
          tier,
          address()
              + " does not accept TLS with "
              + issuedByOthers.certificate().orElseThrow()
              + ": ");
    }
  }

  @Test
  void saysThatTheServerAsksForACertificate() throws Exception {
    TlsFiles.Paths paths =
        new TlsFiles.Paths(Optional.empty(), Optional.empty(), clientPaths.authorities());
    try (TlsFiles without = TlsFiles.open(paths);
        LimitedTier tier = tier(Optional.of(without))) {
      RedisProcess.awaitReason(tier, address() + " does not accept TLS with no certificate: ");
    }
  }

  @Test
  void aClientWithoutTlsIsNotAnswered() throws Exception {
    try (LimitedTier tier = tier(Optional.empty())) {
      RedisProcess.awaitReason(tier, address() + " does not answer: ");
    }
  }

  @Test
  void newFilesOfAnotherAuthorityCountForTheNextConnection() throws Exception {
    try (LimitedTier tier = tier(Optional.of(ofClient))) {
      // A busy machine may need more than a second for a connection.
      await().ignoreExceptions().until(() -> tier.resize(LIMIT_BYTES / 2) != null);

      server.kill();
      copy(issuedByOthers, serverPaths);
      copy(issuedByOthers, clientPaths);
      server.start();

      await().until(() -> tier.status().capacityBytes() == LIMIT_BYTES / 2);
    }
  }

  private static void copy(TlsFiles.Paths from, TlsFiles.Paths to) throws IOException {
    copy(from.certificate(), to.certificate());
    copy(from.key(), to.key());
    copy(from.authorities(), to.authorities());
  }

  private static void copy(Optional<Path> from, Optional<Path> to) throws IOException {
    Files.copy(from.orElseThrow(), to.orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
  }

  private String address() {
    return "localhost:" + server.address().getPort();
  }
}
