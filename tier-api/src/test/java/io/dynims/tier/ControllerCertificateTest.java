package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.testing.RefusedTls;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may change a tier whose controller shows a certificate. */
class ControllerCertificateTest {

  private static final String CONTROLLER = "dynims-controller";
  private static final String TOKEN = "the-token-of-this-node";

  @TempDir private Path folder;
  private LocalAuthority authority;
  private TlsFiles.Paths adapter;
  private TlsFiles.Paths served;
  @AutoClose private TlsFiles files;
  @AutoClose private TokenFile tokens;
  @AutoClose private TierServer server;

  @BeforeEach
  void serve() throws Exception {
    authority = new LocalAuthority(folder, "authority", 1);
    adapter = authority.issue("dynims-agent");
    tokens = TokenFile.open(Files.writeString(folder.resolve("token"), TOKEN));
    serve(Optional.empty(), authority.authorities());
  }

  private void serve(Optional<TokenFile> accepted, Path authorities) throws Exception {
    close();
    Path copy = folder.resolve("trusted.pem");
    Files.copy(authorities, copy, StandardCopyOption.REPLACE_EXISTING);
    served = new TlsFiles.Paths(adapter.certificate(), adapter.key(), Optional.of(copy));
    files = TlsFiles.open(served);
    server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore("alluxio", 0, 1_000),
            GuardSettings.none(),
            new TierAccess(accepted, Optional.of(files), Optional.of(CONTROLLER)));
  }

  private void close() {
    if (server != null) {
      server.close();
      files.close();
    }
  }

  @Test
  void theControllerNeedsNoToken() throws Exception {
    assertChanges(200, context(authority.issue(CONTROLLER)), null);
  }

  @Test
  void thatOfAnAdapterIsNotTheControllers() throws Exception {
    assertChanges(401, context(adapter), null);
    assertChanges(401, context(authority.issue("dynims-controller.example")), null);
    assertChanges(401, context(authority.issue("*")), null);
  }

  @Test
  void aNameHasNoCase() throws Exception {
    assertChanges(200, context(authority.issue("DynIMS-Controller")), null);
  }

  @Test
  void withoutACertificateTheTierCanBeReadOnly() throws Exception {
    try (RawTierClient client = client(context(without()))) {
      assertThat(client.get()).isEqualTo(200);
      assertThat(client.change(null)).containsExactly(401);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynims-controller", "dynims-agent"})
  void aTokenOfTheNodeIsEnough(String name) throws Exception {
    serve(Optional.of(tokens), authority.authorities());

    for (SSLContext client : List.of(context(without()), context(authority.issue(name)))) {
      assertChanges(200, client, TOKEN);
    }
    assertChanges(401, context(without()), "the-token-of-another-node");
  }

  @Test
  void thatOfAnotherAuthorityIsRefused() throws Exception {
    TlsFiles.Paths strange = new LocalAuthority(folder, "strange", 1).issue(CONTROLLER);
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    TlsFiles.Paths ofTheSameName = new LocalAuthority(elsewhere, "authority", 1).issue(CONTROLLER);

    assertChanges(401, context(trusting(strange, authority)), null);
    SSLContext pretender = context(trusting(ofTheSameName, authority));
    assertThatThrownBy(() -> put(pretender)).matches(RefusedTls::isSeenIn);
  }

  @Test
  void oneThatHasExpiredIsRefused() throws Exception {
    LocalAuthority brief = new LocalAuthority(folder, "brief", 0);
    TlsFiles.Paths expired = brief.issue(CONTROLLER);
    serve(Optional.empty(), brief.authorities());

    SSLContext client = context(trusting(expired, authority));
    assertThatThrownBy(() -> put(client)).matches(RefusedTls::isSeenIn);
  }

  @Test
  void anAuthorityThatIsReplacedCountsNoMoreEvenForASessionThatGoesOn() throws Exception {
    LocalAuthority next = new LocalAuthority(folder, "next", 1);
    SSLContext before = context(authority.issue(CONTROLLER));
    SSLContext after = context(trusting(next.issue(CONTROLLER), authority));
    assertChanges(200, before, null);
    assertChanges(401, after, null);

    Files.copy(
        next.authorities(),
        served.authorities().orElseThrow(),
        StandardCopyOption.REPLACE_EXISTING);

    await().until(() -> put(after) == 200);
    assertThat(put(before)).isEqualTo(401);
    assertChanges(401, context(authority.issue(CONTROLLER)), null);
  }

  @Test
  void strangersCannotKeepTheControllerOut() throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try (RawTierClient controller = client(context(authority.issue(CONTROLLER)))) {
      assertThat(controller.put(600, null)).isEqualTo(200);
      for (int i = 0; i < 2 * ServerLimits.DEFAULT.connections(); i++) {
        strangers.add(new Socket(server.uri().getHost(), server.uri().getPort()));
      }

      assertThat(controller.put(700, null)).isEqualTo(200);
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  /** That all requests that change something are answered so. */
  private void assertChanges(int status, SSLContext context, String token) throws Exception {
    try (RawTierClient client = client(context)) {
      assertThat(client.change(token)).containsExactly(status);
    }
  }

  private int put(SSLContext context) throws IOException {
    try (RawTierClient client = client(context)) {
      return client.put(500, null);
    }
  }

  private RawTierClient client(SSLContext context) throws IOException {
    return new RawTierClient(server.uri(), context.getSocketFactory());
  }

  private TlsFiles.Paths without() {
    return new TlsFiles.Paths(
        Optional.empty(), Optional.empty(), Optional.of(authority.authorities()));
  }

  private static TlsFiles.Paths trusting(TlsFiles.Paths own, LocalAuthority servers) {
    return new TlsFiles.Paths(own.certificate(), own.key(), Optional.of(servers.authorities()));
  }

  private static SSLContext context(TlsFiles.Paths paths) throws Exception {
    try (TlsFiles opened = TlsFiles.open(paths)) {
      return opened.context();
    }
  }
}
