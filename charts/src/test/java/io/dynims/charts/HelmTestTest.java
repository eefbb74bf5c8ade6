package io.dynims.charts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pod of {@code helm test} runs, against a server that answers as a controller does. */
class HelmTestTest {

  private static final String TIERS = "{\"tiers\":[]}";

  @TempDir Path scratch;

  private HttpServer server;

  @BeforeEach
  void startServer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  void passesWhereTheTiersAreTold() throws Exception {
    answer(200, TIERS);

    assertThat(exitCode()).isZero();
  }

  @Test
  void failsOnAnErrorAndOnAnotherAnswer() throws Exception {
    answer(503, TIERS);
    assertThat(exitCode()).isNotZero();

    server.removeContext("/api/v1/tiers");
    answer(200, "hello");
    assertThat(exitCode()).isNotZero();
  }

  @Test
  void failsWhereNothingListens() throws Exception {
    server.stop(0);

    assertThat(exitCode()).isNotZero();
  }

  private void answer(int status, String body) {
    server.createContext(
        "/api/v1/tiers",
        exchange -> {
          exchange.sendResponseHeaders(status, body.length());
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body.getBytes(UTF_8));
          }
        });
  }

  private int exitCode() throws Exception {
    JsonNode pod = new Chart().renderWithTest(scratch()).one("Pod", "-test-tiers");
    List<String> command = Manifests.texts(Manifests.container(pod, "tiers").path("command"));
    String script =
        command
            .get(2)
            .replace("dynims-controller.memory/8080", "127.0.0.1/" + server.getAddress().getPort());
    assertThat(script).contains("/dev/tcp/127.0.0.1/");
    return new ProcessBuilder(command.get(0), command.get(1), script)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private Path scratch() throws Exception {
    return Files.createTempDirectory(scratch, "chart");
  }
}
