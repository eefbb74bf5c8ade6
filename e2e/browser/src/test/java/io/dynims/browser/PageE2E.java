package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.dynims.local.JavaCommand;
import io.dynims.testing.LocalLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page with the real loop behind it. */
class PageE2E {

  private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String ROW = "#visible tr[data-node='node-1'] ";
  private static final long MIB = 1L << 20;

  private static LocalLoop loop;
  private static URI page;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    // Feedback, because it also grows a tier that holds nothing to its maximum.
    loop =
        new LocalLoop(PROJECT, Path.of("target", "loop"), "tier.max=512Mi", "policy.law=Feedback");
    loop.up();
    page = loop.address("controller.port").resolve("/");
    browser = new Browser();
  }

  @AfterAll
  static void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (loop != null) {
      loop.close();
    }
  }

  @BeforeEach
  void open() {
    browser.open(page);
    Browser.await().until(() -> browser.text("#connection").equals("Live"));
    Browser.await().until(() -> !browser.text(ROW + "a").isEmpty());
  }

  @AfterEach
  void theConsoleHasNoErrors() throws Exception {
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void showsABurst() throws Exception {
    Browser.await().until(() -> tier().path("state").asText().equals("Enforcing"));
    // The burst raises utilization from 0.8 to above the threshold.
    long usedBytes = tier().path("memoryUsedBytes").asLong();
    setMemoryTotal(usedBytes * 5 / 4);
    Browser.await().until(() -> tier().path("capacityBytes").asLong() == 512 * MIB);
    Browser.await().until(() -> browser.text(ROW + "td:nth-child(7)").equals("512.0Mi"));
    Process burst = burst(usedBytes / 4);
    try {
      browser.run("location.hash = '#/node/node-1/alluxio'");
      Browser.await().until(() -> browser.text("#decisions").contains("Shrink"));
      Browser.await().until(() -> tier().path("capacityBytes").asLong() < 256 * MIB);
      Browser.await().until(() -> browser.text("#memory-text").contains("jobs"));
      browser.screenshot("node-burst");
    } finally {
      burst.destroyForcibly();
      burst.onExit().join();
    }
    Browser.await().until(() -> browser.text("#decisions").contains("Grow"));
    Browser.await().until(() -> tier().path("capacityBytes").asLong() == 512 * MIB);
    Browser.await().until(() -> browser.isPainted("memory"));
    browser.screenshot("node-after-burst");
  }

  @Test
  void survivesARestartOfTheController() throws Exception {
    browser.run("window.sameDocument = true");
    long beforeMillis = tier().at("/lastDecision/decidedMillis").asLong();

    loop.kill("controller");

    Browser.await().until(() -> browser.text("#connection").equals("Connection lost"));
    assertThat(browser.text("#notice")).startsWith("The controller has not answered for ");
    assertThat(browser.all("#visible tr.stale")).isNotEmpty();
    browser.screenshot("connection-lost");
    loop.up();
    Browser.await().until(() -> browser.text("#connection").equals("Live"));
    Browser.await().until(() -> browser.text(ROW + "td:nth-child(4)").equals("Enforcing"));
    assertThat(browser.text("#notice")).isEmpty();
    assertThat(browser.run("return window.sameDocument")).isEqualTo(true);
    // Decisions from before the restart are read from Kafka.
    Browser.await().until(() -> oldestDecidedMillis() < beforeMillis);
  }

  @Test
  void reportsStaleMetricsAndShowsTheNumbersOfTheApi() throws Exception {
    loop.kill("collectd");

    Browser.await().until(() -> browser.text(ROW + "td:nth-child(4)").equals("Stale"));
    Browser.await()
        .until(() -> browser.text("#notice").startsWith("Metrics of 1 of 1 tiers are stale"));
    browser.screenshot("stale");
    // Nothing changes now, so that page and API can be compared.
    JsonNode tier = tier();
    assertThat(cell(5)).isEqualTo(percent(tier.path("utilization").asDouble()));
    assertThat(cell(6)).isEqualTo(mebibytes(tier.path("desiredBytes")));
    assertThat(cell(7)).isEqualTo(mebibytes(tier.path("capacityBytes")));
    assertThat(cell(8)).isEqualTo(mebibytes(tier.path("usedBytes")));
    loop.up();
    Browser.await().until(() -> browser.text(ROW + "td:nth-child(4)").equals("Enforcing"));
  }

  @ParameterizedTest
  @CsvSource({"tiers,#/", "fleet,#/fleet", "node,#/node/node-1/alluxio"})
  void everyViewIsAccessibleLightAndDarkAndOnAPhone(String view, String hash) throws Exception {
    browser.run("location.hash = arguments[0]", hash);
    Browser.await().until(() -> !browser.text("#" + view + "-view h2").isEmpty());
    if (!view.equals("tiers")) {
      String canvas = view.equals("fleet") ? "histogram" : "memory";
      Browser.await().until(() -> browser.isPainted(canvas));
    }
    try {
      for (String scheme : List.of("light", "dark")) {
        browser.scheme(scheme);
        assertThat(browser.accessibilityViolations()).as(scheme).isEmpty();
        browser.screenshot(view + "-" + scheme);
      }
      browser.asPhone(true);
      Browser.await()
          .untilAsserted(
              () ->
                  assertThat(
                          browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                      .as("nothing is wider than the phone")
                      .isEqualTo(true));
      browser.screenshot(view + "-phone");
    } finally {
      browser.asPhone(false);
      browser.scheme("light");
    }
  }

  @Test
  void filtersAndSortsWithTheKeyboardAlone() {
    browser.all("#filter-text").get(0).sendKeys("no such node");
    Browser.await().until(() -> browser.text("#count").equals("0 of 1"));
    browser.all("#filter-text").get(0).clear();
    browser.all("#filter-text").get(0).sendKeys("NODE");
    Browser.await().until(() -> browser.text("#count").equals("1 of 1"));
    browser.all("#columns button").get(6).sendKeys("\n");
    Browser.await().until(() -> browser.all("#columns th[aria-sort='ascending']").size() == 1);
    assertThat(browser.all("#columns th").get(6).getDomAttribute("aria-sort"))
        .isEqualTo("ascending");
    browser.all(ROW + "a").get(0).sendKeys("\n");
    Browser.await().until(() -> browser.text("#node-title").equals("node-1 · alluxio"));
  }

  @Test
  void aPageOfAnotherOriginChangesAndReadsNothing() throws Exception {
    URI adapter = loop.address("adapter.port").resolve("/v1/tier");
    URI jobs = loop.address("flink.port").resolve("/jobs/");
    String job = get(jobs.resolve("overview")).at("/jobs/0/jid").asText();
    assertThat(job).isNotEmpty();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try (Browser elsewhere = new Browser()) {
      elsewhere.open(URI.create("http://localhost:" + server.getAddress().getPort() + "/"));

      assertThat(fetched(elsewhere, adapter, "PUT", "cors")).isEqualTo("refused");
      assertThat(fetched(elsewhere, jobs.resolve(job), "PATCH", "cors")).isEqualTo("refused");
      assertThat(fetched(elsewhere, adapter, "GET", "cors")).isEqualTo("refused");
      assertThat(fetched(elsewhere, jobs.resolve("overview"), "GET", "cors")).isEqualTo("refused");
      assertThat(fetched(elsewhere, page.resolve("/api/v1/tiers"), "GET", "cors"))
          .isEqualTo("refused");
      // These are sent, though the page cannot see what comes back.
      assertThat(fetched(elsewhere, adapter, "POST", "no-cors")).isEqualTo("opaque");
      assertThat(fetched(elsewhere, jobs.resolve(job + "/stop"), "POST", "no-cors"))
          .isEqualTo("opaque");
      assertThat(fetched(elsewhere, jobs.resolve(job + "/yarn-cancel"), "GET", "no-cors"))
          .isEqualTo("opaque");
    } finally {
      server.stop(0);
    }
    JsonNode after = get(jobs.resolve("overview")).at("/jobs/0");
    assertThat(after.path("jid").asText()).isEqualTo(job);
    assertThat(after.path("state").asText()).isEqualTo("RUNNING");
    long decidedMillis = tier().at("/lastDecision/decidedMillis").asLong();
    Browser.await().until(() -> tier().at("/lastDecision/decidedMillis").asLong() > decidedMillis);
  }

  /** What a script of a page learns of a request to another origin. */
  private static Object fetched(Browser browser, URI address, String method, String mode) {
    return browser.runAsync(
        "const [url, method, mode, done] = arguments;"
            + "fetch(url, {method, mode}).then(r => done(r.type), () => done('refused'));",
        address.toString(),
        method,
        mode);
  }

  private static JsonNode tier() throws IOException, InterruptedException {
    return get("/api/v1/tiers/node-1");
  }

  private static JsonNode get(String path) throws IOException, InterruptedException {
    return get(page.resolve(path));
  }

  private static JsonNode get(URI address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address).build();
    return JSON.readTree(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  private static long oldestDecidedMillis() throws IOException, InterruptedException {
    JsonNode decisions = get("/api/v1/tiers/node-1/history?last=3000").path("decisions");
    return decisions.path(decisions.size() - 1).path("decidedMillis").asLong(Long.MAX_VALUE);
  }

  /** Sets memory.total, in a file that is replaced atomically. */
  private static void setMemoryTotal(long bytes) throws IOException {
    String document = Files.readString(loop.policy()).replaceAll("(?m)^  memory:.*\\R", "");
    Path next = loop.policy().resolveSibling("next");
    Files.writeString(
        next, document.replaceFirst("(?m)^spec:$", "spec:\n  memory: {total: " + bytes + "}"));
    Files.move(next, loop.policy(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Allocates memory at 200 MiB per second and keeps it until it is stopped. */
  private static Process burst(long bytes) throws IOException {
    return new ProcessBuilder(
            JavaCommand.light(
                "-cp",
                PROJECT.resolve("experiments/target/dynims-experiments.jar").toString(),
                "io.dynims.experiments.demo.MemoryLoad",
                "0:0",
                bytes / MIB * 1_000 / 200 + ":" + bytes,
                "600000:" + bytes))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String cell(int column) {
    return browser.text(ROW + "td:nth-child(" + column + ")");
  }

  private static String mebibytes(JsonNode bytes) {
    double value = bytes.asDouble() / MIB;
    return bytes.asLong() == 0 ? "0" : String.format("%.1fMi", value);
  }

  private static String percent(double ratio) {
    return String.format("%.1f%%", ratio * 100);
  }
}
