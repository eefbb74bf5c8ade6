package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.api.ApiFixture.ADAPTER;
import static io.dynims.controller.api.ApiFixture.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors, methods, and the probes. */
class RestApiTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/tiers/n9, 404, node, 'node ''n9'' is in no policy; GET /api/v1/tiers lists all nodes'",
    "/api/v1/tiers/n9/history, 404, node, 'node ''n9'' is in no policy'",
    "/api/v1/tiers/n1?tier=x, 404, tier, 'no tier ''x'', only [memory]'",
    "/api/v1/tiers/n1/history?last=0, 400, last, '''0'' is neither a whole number from 1 to 10 nor a time from 1ms to 1h'",
    "/api/v1/tiers/n1/history?last=11, 400, last, '''11'' is neither a whole number from 1 to 10 nor a time from 1ms to 1h'",
    "/api/v1/tiers/n1/history?last=x, 400, last, '''x'' is neither a whole number'",
    "/api/v1/tiers/n1/history?last=61m, 400, last, '''61m'' is neither'",
    "/api/v1/tiers/n1/history?last=0s, 400, last, '''0s'' is neither'",
    "/api/v1/tiers/n1/history?last=, 400, last, ''''' is neither'",
    "/api/v1/tiers/n1/history?last=-5m, 400, last, nor a time from 1ms to 1h",
    "/api/v1/tiers/n1/history?last=1&last=2, 400, last, given more than once",
    "/api/v1/tiers?node=n1, 400, node, this path has no parameters",
    "/readyz?verbose=1, 400, verbose, this path has no parameters",
    "/api/v2/tiers, 404, , '/api/v2/tiers does not exist; see /openapi.yaml'",
    "/%2e%2e/etc/passwd, 404, , does not exist",
  })
  void anErrorNamesItsCause(String path, int status, String field, String detail) throws Exception {
    api.apply(document("n1", ADAPTER, "Enforce", "1000"));
    HttpResponse<String> response = api.send("GET", path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.path("field").asText(null)).isEqualTo(field);
    assertThat(problem.get("detail").asText()).contains(detail);
  }

  @Test
  void otherMethodsAreNotAllowedOnAnyPath() throws Exception {
    for (String path : api.api().paths()) {
      HttpResponse<String> response = api.send("PUT", path.replace(":node", "n1"));

      assertThat(response.statusCode()).as(path).isEqualTo(405);
      assertThat(response.headers().firstValue("Allow")).contains(api.api().allowed(path));
      assertThat(JSON.readTree(response.body()).get("detail").asText()).contains("PUT");
    }
  }

  @Test
  void onlyHintsChangeAnything() {
    assertThat(api.api().paths().stream().filter(path -> !api.api().allowed(path).equals("GET")))
        .containsExactly("/api/v1/hints", "/api/v1/hints/:node/:owner");
    assertThat(api.api().allowed("/api/v1/hints")).isEqualTo("GET, POST");
  }

  @Test
  void readinessNamesWhatIsMissing() throws Exception {
    assertThat(api.get("/readyz").get("status").asText()).isEqualTo("ready");
    api.missing = List.of("Kafka: down", "policies: none");

    HttpResponse<String> response = api.send("GET", "/readyz");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .isEqualTo("Kafka: down; policies: none");
    assertThat(api.get("/healthz").get("status").asText()).isEqualTo("up");
  }

  @Test
  void thePageMayRunOnlyItsOwnScripts() throws Exception {
    HttpResponse<String> response = api.send("GET", "/");

    assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .doesNotContain("unsafe");
    assertThat(response.body()).contains("<title>DynIMS</title>").doesNotContain("://");
    Matcher files = Pattern.compile("(?:src|href)=\"(/page/[^\"]+)\"").matcher(response.body());
    assertThat(files.results().map(found -> found.group(1)))
        .contains("/page/dynims.js", "/page/chart.js")
        .allSatisfy(path -> assertThat(api.send("GET", path).statusCode()).isEqualTo(200));
    assertThat(api.send("GET", "/page/other.js").statusCode()).isEqualTo(404);
  }
}
