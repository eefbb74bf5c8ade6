package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordTraceCommandTest {

  private static final String DECISIONS =
      """
      {"decisions": [
        {"node": "n", "tier": "t", "desiredBytes": 50, "previousBytes": 50, "tierUsedBytes": 50,
         "memoryUsedBytes": 80, "memoryTotalBytes": 100, "utilization": 0.8, "action": "Hold",
         "reason": "", "limitedBy": "None", "sampledMillis": 1100, "decidedMillis": 1101},
        {"node": "n", "tier": "t", "desiredBytes": 50, "previousBytes": 50, "tierUsedBytes": 50,
         "memoryUsedBytes": 70, "memoryTotalBytes": 100, "utilization": 0.7, "action": "Hold",
         "reason": "", "limitedBy": "None", "sampledMillis": 1000, "decidedMillis": 1001}]}
      """;

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private HttpServer controller;
  private int status = 200;
  private String answer = DECISIONS;
  private String requested;

  @BeforeEach
  void startController() throws Exception {
    controller = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    controller.createContext(
        "/",
        exchange -> {
          requested = exchange.getRequestURI().toString();
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    controller.start();
  }

  @AfterEach
  void stopController() {
    controller.stop(0);
  }

  @Test
  void writesTheHistoryAsATrace() {
    assertThat(record("node 1", "--last", "2", "--tier", "t")).isZero();

    assertThat(requested).isEqualTo("/api/v1/tiers/node%201/history?last=2&tier=t");
    assertThat(out.toString(UTF_8))
        .isEqualTo("millis,jobBytes,totalBytes\n1000,20,100\n1100,30,100\n");
    assertThat(err.toString(UTF_8)).isEqualTo("dynims: 2 rows of 100 ms\n");
  }

  @Test
  void writesToAFile() throws Exception {
    Path file = folder.resolve("node.csv");

    assertThat(record("node-1", "--last", "2", "--output", file.toString())).isZero();

    assertThat(out.size()).isZero();
    assertThat(file).content().startsWith("millis,jobBytes,totalBytes\n1000,");
  }

  @Test
  void asksForAnHourIfNotTold() {
    assertThat(record("node-1")).isZero();

    assertThat(requested).endsWith("/history?last=1h");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {\"detail\": \"node 'x' is in no policy\", \"field\": \"node\"} | 2 | dynims: node 'x' is in no policy",
        "400 | {\"detail\": \"is required because node 'x' has several: [a, b]\", \"field\": \"tier\"} | 2 | dynims: --tier: is required because node 'x' has several: [a, b]",
        "400 | {\"detail\": \"'2h' is too much\", \"field\": \"last\"} | 2 | dynims: --last: '2h' is too much",
        "503 | {\"detail\": \"starting\"} | 1 | answers HTTP 503: starting",
        "404 | <html> | 1 | answers HTTP 404",
        "200 | {\"decisions\": []} | 1 | the controller has no decisions of 'x'",
        "200 | {\"tiers\": []} | 1 | the answer cannot be read"
      })
  void saysWhyThereIsNoTrace(int code, String body, int exitCode, String message) {
    status = code;
    answer = body;

    assertThat(record("x")).isEqualTo(exitCode);
    assertThat(err.toString(UTF_8)).contains(message);
    assertThat(out.size()).isZero();
  }

  @Test
  void saysThatTheControllerIsAway() {
    controller.stop(0);

    assertThat(record("x")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("does not answer at http://", "--url");
  }

  @Test
  void refusesAnAddressThatIsNone() {
    assertThat(run("trace", "record", "x", "--url", "localhost")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("'localhost' is not the address of a controller");
  }

  private int record(String... args) {
    String[] all = new String[args.length + 4];
    all[0] = "trace";
    all[1] = "record";
    System.arraycopy(args, 0, all, 2, args.length);
    all[all.length - 2] = "--url";
    all[all.length - 1] =
        "http://"
            + controller.getAddress().getAddress().getHostAddress()
            + ":"
            + controller.getAddress().getPort()
            + "/";
    return run(all);
  }

  private int run(String... args) {
    var context =
        new CliContext(
            Path.of(".."),
            Map.of(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return Dynims.run(context, List.of(), args);
  }
}
