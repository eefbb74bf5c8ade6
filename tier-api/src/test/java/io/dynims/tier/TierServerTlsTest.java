package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynims.core.testing.RefusedTls;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Tier API over TLS, with certificates on both sides. */
class TierServerTlsTest {

  @TempDir private Path folder;
  private LocalAuthority authority;
  private TlsFiles.Paths paths;
  @AutoClose private TlsFiles files;
  @AutoClose private TierServer server;

  @BeforeEach
  void serve() throws Exception {
    authority = new LocalAuthority(folder, "authority", 1);
    paths = authority.issue("server");
    files = TlsFiles.open(paths);
    server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore("alluxio", 0, 1_000),
            GuardSettings.none(),
            TierAccess.anyone().over(files));
  }

  @Test
  void aClientOfTheAuthorityIsAnswered() throws Exception {
    assertThat(get(client(authority.issue("controller")))).contains("\"capacityBytes\":1000");
    assertThat(server.uri().getScheme()).isEqualTo("https");
  }

  @Test
  void aClientWithoutACertificateOfTheAuthorityIsRefused() throws Exception {
    TlsFiles.Paths stranger = new LocalAuthority(folder, "strange", 1).issue("controller");
    HttpClient without =
        client(
            new TlsFiles.Paths(
                Optional.empty(), Optional.empty(), Optional.of(authority.authorities())));
    HttpClient strange =
        client(
            new TlsFiles.Paths(
                stranger.certificate(), stranger.key(), Optional.of(authority.authorities())));

    assertThatThrownBy(() -> get(without)).matches(RefusedTls::isSeenIn);
    assertThatThrownBy(() -> get(strange)).matches(RefusedTls::isSeenIn);
  }

  @Test
  void plainHttpIsRefused() {
    URI plain = URI.create(server.uri().toString().replace("https", "http"));

    assertThatThrownBy(
            () ->
                HttpClient.newHttpClient()
                    .send(
                        HttpRequest.newBuilder(plain.resolve(TierApi.PATH)).build(),
                        HttpResponse.BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aNewCertificateCountsForNewConnections() throws Exception {
    LocalAuthority next = new LocalAuthority(folder, "next", 1);
    TlsFiles.Paths replacement = next.issue("server");
    TlsFiles.Paths controller = authority.issue("controller");
    TlsFiles.Paths trustingNext =
        new TlsFiles.Paths(
            controller.certificate(), controller.key(), Optional.of(next.authorities()));
    assertThatThrownBy(() -> get(client(trustingNext))).matches(RefusedTls::isSeenIn);

    copy(replacement.certificate(), paths.certificate());
    copy(replacement.key(), paths.key());

    await().ignoreExceptions().until(() -> get(client(trustingNext)).contains("capacityBytes"));
  }

  private static void copy(Optional<Path> from, Optional<Path> to) throws IOException {
    Files.copy(from.orElseThrow(), to.orElseThrow(), StandardCopyOption.REPLACE_EXISTING);
  }

  private String get(HttpClient client) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(server.uri().resolve(TierApi.PATH)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static HttpClient client(TlsFiles.Paths paths) throws Exception {
    try (TlsFiles files = TlsFiles.open(paths)) {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          files.keyManager().map(each -> new KeyManager[] {each}).orElse(null),
          files.trustManager().map(each -> new TrustManager[] {each}).orElse(null),
          null);
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(context)
          .build();
    }
  }
}
