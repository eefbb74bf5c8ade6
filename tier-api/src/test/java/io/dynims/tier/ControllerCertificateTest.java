package io.dynims.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.authority.LocalAuthority;
import io.dynims.core.auth.TokenFile;
import io.dynims.core.testing.RefusedTls;
import io.dynims.core.tls.TlsFiles;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
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
  private static final String HINT = "{\"owner\":\"job\",\"bytes\":1}";
  private static final int TIMEOUT_MILLIS = 60_000;

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
    assertChanges(200, client(authority.issue(CONTROLLER)), null);
  }

  @Test
  void thatOfAnAdapterIsNotTheControllers() throws Exception {
    assertChanges(401, client(adapter), null);
    assertChanges(401, client(authority.issue("dynims-controller.example")), null);
    assertChanges(401, client(authority.issue("*")), null);
  }

  @Test
  void aNameHasNoCase() throws Exception {
    assertChanges(200, client(authority.issue("DynIMS-Controller")), null);
  }

  @Test
  void withoutACertificateTheTierCanBeReadOnly() throws Exception {
    assertThat(send(client(without()), "GET", TierApi.PATH, "", null)).isEqualTo(200);
    assertChanges(401, client(without()), null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynims-controller", "dynims-agent"})
  void aTokenOfTheNodeIsEnough(String name) throws Exception {
    serve(Optional.of(tokens), authority.authorities());

    for (SSLContext client : List.of(client(without()), client(authority.issue(name)))) {
      assertChanges(200, client, TOKEN);
    }
    assertChanges(401, client(without()), "the-token-of-another-node");
  }

  @Test
  void thatOfAnotherAuthorityIsRefused() throws Exception {
    TlsFiles.Paths strange = new LocalAuthority(folder, "strange", 1).issue(CONTROLLER);

    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    TlsFiles.Paths ofTheSameName = new LocalAuthority(elsewhere, "authority", 1).issue(CONTROLLER);

    assertChanges(401, client(trusting(strange, authority)), null);
    SSLContext pretender = client(trusting(ofTheSameName, authority));
    assertThatThrownBy(() -> put(pretender, null)).matches(RefusedTls::isSeenIn);
  }

  @Test
  void oneThatHasExpiredIsRefused() throws Exception {
    LocalAuthority brief = new LocalAuthority(folder, "brief", 0);
    TlsFiles.Paths expired = brief.issue(CONTROLLER);
    serve(Optional.empty(), brief.authorities());

    assertThatThrownBy(
            () -> send(client(trusting(expired, authority)), "GET", TierApi.PATH, "", null))
        .matches(RefusedTls::isSeenIn);
  }

  @Test
  void anAuthorityThatIsReplacedCountsNoMoreEvenForASessionThatGoesOn() throws Exception {
    LocalAuthority next = new LocalAuthority(folder, "next", 1);
    SSLContext before = client(authority.issue(CONTROLLER));
    SSLContext after = client(trusting(next.issue(CONTROLLER), authority));
    assertChanges(200, before, null);
    assertChanges(401, after, null);

    Files.copy(
        next.authorities(),
        served.authorities().orElseThrow(),
        StandardCopyOption.REPLACE_EXISTING);

    await().until(() -> put(after, null) == 200);
    assertThat(put(before, null)).isEqualTo(401);
    assertChanges(401, client(authority.issue(CONTROLLER)), null);
  }

  @Test
  void strangersCannotKeepTheControllerOut() throws Exception {
    SSLContext controller = client(authority.issue(CONTROLLER));
    List<Socket> strangers = new ArrayList<>();
    try (SSLSocket socket = open(controller)) {
      assertThat(send(socket, "PUT", TierApi.PATH, resize(), null)).isEqualTo(200);
      for (int i = 0; i < 2 * ServerLimits.DEFAULT.connections(); i++) {
        strangers.add(new Socket(server.uri().getHost(), server.uri().getPort()));
      }

      assertThat(send(socket, "PUT", TierApi.PATH, resize(), null)).isEqualTo(200);
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  /** That all requests that change something are answered so. */
  private void assertChanges(int status, SSLContext client, String token) throws Exception {
    assertThat(put(client, token)).isEqualTo(status);
    assertThat(send(client, "POST", TierApi.HINTS_PATH, HINT, token)).isEqualTo(status);
    assertThat(send(client, "DELETE", TierApi.HINTS_PATH + "?owner=job", "", token))
        .isEqualTo(status);
  }

  private int put(SSLContext client, String token) throws IOException {
    return send(client, "PUT", TierApi.PATH, resize(), token);
  }

  private static String resize() {
    return new String(
        TierApi.REQUEST.encode(new TierRequest(500, System.currentTimeMillis(), TIMEOUT_MILLIS)),
        US_ASCII);
  }

  private int send(SSLContext client, String method, String path, String body, String token)
      throws IOException {
    try (SSLSocket socket = open(client)) {
      return send(socket, method, path, body, token);
    }
  }

  /** On a new connection, in the session of the last one if there is one. */
  private SSLSocket open(SSLContext client) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            client.getSocketFactory().createSocket(server.uri().getHost(), server.uri().getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static int send(SSLSocket socket, String method, String path, String body, String token)
      throws IOException {
    String authorization = token == null ? "" : "Authorization: Bearer " + token + "\r\n";
    String request =
        "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(method, path, authorization, body.length(), body);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    StringBuilder answer = new StringBuilder();
    while (!answer.toString().contains("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException("the connection ended after '" + answer + "'");
      }
      answer.append((char) next);
    }
    String length =
        answer
            .toString()
            .toLowerCase(Locale.ROOT)
            .replaceFirst("(?s).*content-length: (\\d+).*", "$1");
    socket.getInputStream().skipNBytes(Long.parseLong(length));
    return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
  }

  private TlsFiles.Paths without() {
    return new TlsFiles.Paths(
        Optional.empty(), Optional.empty(), Optional.of(authority.authorities()));
  }

  private static TlsFiles.Paths trusting(TlsFiles.Paths own, LocalAuthority servers) {
    return new TlsFiles.Paths(own.certificate(), own.key(), Optional.of(servers.authorities()));
  }

  private static SSLContext client(TlsFiles.Paths paths) throws Exception {
    try (TlsFiles opened = TlsFiles.open(paths)) {
      return opened.context();
    }
  }
}
