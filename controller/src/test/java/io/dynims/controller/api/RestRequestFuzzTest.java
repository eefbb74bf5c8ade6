package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client whose request line, without the version, is any bytes; it may so add headers, too. */
class RestRequestFuzzTest {

  private static final int WAIT_MILLIS = 30_000;
  private static final Set<Integer> STATUSES =
      Set.of(100, 200, 400, 403, 404, 405, 413, 414, 415, 417, 431, 501, 503);
  private static final Pattern STATUS =
      Pattern.compile("HTTP/1\\.[01] (\\d{3}) .*", Pattern.DOTALL);
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n");

  private static ApiFixture api;
  private static Socket connection;

  /**
   * An answer; of an event stream, its head.
   *
   * @param head in small letters
   */
  private record Answer(int status, String head, byte[] body) {}

  @BeforeAll
  static void serve() {
    api = new ApiFixture();
    api.apply(document("n1", ApiFixture.ADAPTER, "Enforce", "1000"));
  }

  @AfterAll
  static void close() throws IOException {
    disconnect();
    api.close();
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/controller/api/rest.dict")
  void everyRequestIsAnsweredAndNoneWithAnInternalError(byte[] line) throws Exception {
    try (var unused = BugDetectors.allowNetworkConnections()) {
      check(line);
    }
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "everyRequestIsAnsweredAndNoneWithAnInternalError", RestRequestFuzzTest::check);
  }

  /** The router would answer it, too, but write a stack trace to the log each time. */
  @Test
  void halfAnEscapeIsRefusedBeforeTheRouter() throws Exception {
    for (String path : List.of("/%zz", "/api/v1/tiers/%4", "/%", "/api/v1/tiers?tier=a%+20b")) {
      Answer answer = send("GET " + path, true);
      assertThat(answer.status()).as(path).isEqualTo(400);
      assertThat(new String(answer.body(), ISO_8859_1)).contains("two hexadecimal digits");
    }
  }

  private static Outcome check(byte[] line) throws IOException {
    String sent = new String(line, ISO_8859_1);
    boolean oneLine = sent.indexOf('\n') < 0;
    Answer answer;
    try {
      answer = send(sent, oneLine);
    } catch (EOFException | SocketException e) {
      disconnect();
      // What follows the line may be no request, which Vert.x may not answer.
      assertThat(oneLine).as("answered: " + sent).isFalse();
      return Outcome.Refused;
    }
    assertThat(STATUSES).as(answer.head()).contains(answer.status());
    if (answer.body().length > 0 && answer.head().contains("json")) {
      JsonNode json = ApiFixture.JSON.readTree(answer.body());
      if (answer.status() != 200) {
        assertThat(json.get("status").asInt()).isEqualTo(answer.status());
        assertThat(json.get("title").asText()).isNotBlank();
      }
    }
    return answer.status() == 200 ? Outcome.Accepted : Outcome.Refused;
  }

  private static Answer send(String line, boolean oneLine) throws IOException {
    connect();
    String request = line + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    connection.getOutputStream().write(request.getBytes(ISO_8859_1));
    var in = new DataInputStream(connection.getInputStream());
    String head = head(in);
    Matcher status = STATUS.matcher(head);
    assertThat(status.matches()).as(head).isTrue();
    String lower = head.toLowerCase(Locale.ROOT);
    Matcher length = LENGTH.matcher(lower);
    byte[] body = {};
    boolean complete = length.find() && !line.startsWith("HEAD");
    if (complete) {
      body = new byte[Integer.parseInt(length.group(1))];
      in.readFully(body);
    }
    if (!complete || !oneLine || body.length == 0 || lower.contains("connection: close")) {
      disconnect();
    }
    return new Answer(Integer.parseInt(status.group(1)), lower, body);
  }

  private static String head(DataInputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    int state = 0; // How much of the empty line has come.
    while (state < 4) {
      int next = in.readUnsignedByte();
      head.write(next);
      state = next == "\r\n\r\n".charAt(state) ? state + 1 : next == '\r' ? 1 : 0;
    }
    return head.toString(ISO_8859_1);
  }

  private static void connect() throws IOException {
    if (connection == null) {
      connection = new Socket(InetAddress.getLoopbackAddress(), api.server().port());
      connection.setSoTimeout(WAIT_MILLIS);
      connection.setTcpNoDelay(true);
      connection.setSoLinger(true, 0); // Leaves no port waiting behind.
    }
  }

  private static void disconnect() throws IOException {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
