package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.runtime.auth.TokenFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller that asks for a token. */
class RestAccessTest {

  private static final String TOKEN = "0123456789abcdef";

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  @AutoClose private TokenFile tokens;
  @AutoClose private ApiFixture api;

  @BeforeEach
  void start() throws Exception {
    tokens = TokenFile.open(Files.writeString(folder.resolve("token"), TOKEN + "\n"));
    api =
        new ApiFixture(
            RestLimits.DEFAULT,
            new RestAccess(Optional.of(tokens), Optional.empty(), Optional.empty()));
  }

  @Test
  void answersNothingButHealthChecksWithoutAToken() throws Exception {
    for (String path : api.api().paths()) {
      boolean isHealth = path.equals("/healthz") || path.equals("/readyz");
      HttpResponse<String> response = get(path.replace(":node", "n1"), null);

      assertThat(response.statusCode()).as(path).isEqualTo(isHealth ? 200 : 401);
      if (!isHealth) {
        assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow())
            .startsWith("Basic ");
        assertThat(response.body()).contains("a token is needed").doesNotContain(TOKEN);
      }
    }
  }

  @Test
  void answersPrograms() throws Exception {
    assertThat(get("/api/v1/tiers", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
    assertThat(get("/metrics", "Bearer " + TOKEN).statusCode()).isEqualTo(200);
  }

  @Test
  void answersABrowserWhoseUserGivesTheTokenAsAPassword() throws Exception {
    assertThat(get("/", basic("me:" + TOKEN)).statusCode()).isEqualTo(200);
    assertThat(get("/", basic(":" + TOKEN)).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer other-token-0000", "Bearer", "Basic %%%", "Digest x", ""})
  void refusesAnythingElse(String authorization) throws Exception {
    assertThat(get("/api/v1/tiers", authorization).statusCode()).isEqualTo(401);
    assertThat(get("/api/v1/stream", authorization).statusCode()).isEqualTo(401);
    assertThat(get("/", basic(TOKEN + ":x")).statusCode()).isEqualTo(401);
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
  }

  private HttpResponse<String> get(String path, String authorization) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.server().port() + path));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
