package io.dynims.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may call the server, and what clients that mean no good can take from it. */
class TierServerTest {

  private static final String TOKEN = "a-token-of-this-test";
  private static final long LEASE_MILLIS = 60_000;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final InMemoryTierStore store = new InMemoryTierStore("alluxio", 0, 1_000);
  private final List<Socket> sockets = new ArrayList<>();

  @TempDir private Path folder;
  private Path file;
  @AutoClose private TokenFile tokens;
  @AutoClose private TierServer server;

  @BeforeEach
  void serve() throws Exception {
    file = Files.writeString(folder.resolve("token"), TOKEN);
    tokens = TokenFile.open(file);
    server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            store,
            GuardSettings.none(),
            TierAccess.holdersOf(tokens));
  }

  @AfterEach
  void end() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void onlyAHolderOfTheTokenResizes() throws Exception {
    for (String wrong : new String[] {null, "another-token-of-this-test"}) {
      TierReply refused = client(wrong).put(request(500));
      assertThat(refused.status()).isEqualTo(AckStatus.Failed);
      assertThat(refused.message()).contains("401", "http.token.file").doesNotContain(TOKEN);
      assertThat(client(wrong).get().tier().capacityBytes()).isEqualTo(1_000);
    }

    assertThat(client(TOKEN).put(request(500)).tier().capacityBytes()).isEqualTo(500);
  }

  @Test
  void takesANewTokenWithoutARestart() throws Exception {
    Files.writeString(file, "the-next-token-of-this-test\n" + TOKEN);
    await()
        .until(
            () ->
                client("the-next-token-of-this-test").put(request(600)).status()
                    == AckStatus.Applied);
    assertThat(client(TOKEN).put(request(700)).status()).isEqualTo(AckStatus.Applied);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:7070", "127.0.0.1.evil.example", ""})
  void aForeignHostIsRefusedOnLoopback(String host) throws Exception {
    assertThat(send("GET /v1/tier HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
        .startsWith("HTTP/1.1 403");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost:7070", "[::1]:7070", "LOCALHOST"})
  void aNameOfLoopbackIsMeant(String host) throws Exception {
    assertThat(send("GET /v1/tier HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null"})
  void aPageOfABrowserGivesNoHint(String origin) throws Exception {
    assertThat(send(hint("Origin: " + origin + "\r\n"))).startsWith("HTTP/1.1 403");
    assertThat(server.status().hints()).isNull();

    assertThat(send(hint(""))).startsWith("HTTP/1.1 200");
  }

  @Test
  void aSampleFromTheFutureLocksNobodyOut() throws Exception {
    long nowMillis = System.currentTimeMillis();

    TierReply reply = client(TOKEN).put(new TierRequest(0, nowMillis + 3_600_000, LEASE_MILLIS));

    assertThat(reply.message()).contains("400", "sampledMillis", "in the future");
    assertThat(client(TOKEN).put(new TierRequest(400, nowMillis, LEASE_MILLIS)).status())
        .isEqualTo(AckStatus.Applied);
  }

  @Test
  void aLeaseOfMoreThanAMinuteIsInvalid() throws Exception {
    String body = "{\"desiredBytes\":0,\"sampledMillis\":1,\"leaseMillis\":60001}";

    assertThat(client(TOKEN).put(body.getBytes(US_ASCII)).message())
        .contains("400", "leaseMillis: 60001 is not from 1 to 60000");
  }

  @Test
  void slowHeadsAndBodiesDelayNobodyAndEnd() throws Exception {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = open();
      socket.getOutputStream().write('G');
      slow.add(socket);
    }
    Socket slowBody = open();
    write(slowBody, "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    slow.add(slowBody);

    assertThat(client(TOKEN).put(request(500)).status()).isEqualTo(AckStatus.Applied);
    for (Socket socket : slow) {
      assertThat(socket.getInputStream().read()).as("end of the connection").isEqualTo(-1);
    }
  }

  @Test
  void strangersCannotKeepAControllerOut() throws Exception {
    Socket controller = open();
    write(controller, put(600));
    assertThat(readHead(controller)).startsWith("HTTP/1.1 200");

    for (int i = 0; i < 300; i++) {
      open();
    }

    write(controller, put(700));
    assertThat(readHead(controller)).startsWith("HTTP/1.1 200");
    // And a controller that has to connect anew gets in, too.
    assertThat(client(TOKEN).put(request(800)).tier().capacityBytes()).isEqualTo(800);
  }

  @Test
  void aBodyOfMoreThan16KibibytesIsRefused() throws Exception {
    String body = " ".repeat(16 * 1024 + 1);
    assertThat(
            send(
                "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                    .formatted(body.length(), body)))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void whatIsNotHttpIsRefused() throws Exception {
    assertThat(send("\u0001\u0002 nonsense\r\n\r\n")).startsWith("HTTP/1.1 400");
  }

  @Test
  void requestsThatAreSentAtOnceAreAnsweredInOrder() throws Exception {
    Socket socket = open();
    for (String path : List.of("/healthz", "/absent", TierApi.PATH)) {
      write(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    write(socket, "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

    String all = new String(socket.getInputStream().readAllBytes(), US_ASCII);
    assertThat(Pattern.compile("HTTP/1.1 (\\d+)").matcher(all).results().map(r -> r.group(1)))
        .containsExactly("200", "404", "200", "200");
  }

  @Test
  void otherMethodsAreRefused() throws Exception {
    assertThat(send("DELETE /v1/tier HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 405")
        .containsIgnoringCase("allow: GET, PUT");
    assertThat(send("OPTIONS /v1/tier HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\n\r\n"))
        .startsWith("HTTP/1.1 405")
        .doesNotContainIgnoringCase("access-control");
  }

  private static TierRequest request(long bytes) {
    return new TierRequest(bytes, System.currentTimeMillis(), LEASE_MILLIS);
  }

  private TierClient client(String token) {
    return new TierClient(server.uri(), Optional.ofNullable(token), Optional.empty());
  }

  private static String put(long bytes) {
    String body = new String(TierApi.REQUEST.encode(request(bytes)), US_ASCII);
    return "PUT /v1/tier HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(TOKEN, body.length(), body);
  }

  private static String hint(String header) {
    String body = "{\"owner\":\"job\",\"bytes\":1}";
    return "POST /v1/tier/hints HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(TOKEN, header, body.length(), body);
  }

  private Socket open() throws IOException {
    URI uri = server.uri();
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    sockets.add(socket);
    return socket;
  }

  private String send(String request) throws IOException {
    Socket socket = open();
    write(socket, request);
    return readHead(socket);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** Reads an answer, and returns its head. */
  private static String readHead(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return head.toString();
      }
      head.append((char) next);
    }
    for (String line : head.toString().lines().toList()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        in.skipNBytes(Long.parseLong(line.substring("content-length: ".length())));
      }
    }
    return head.toString();
  }
}
