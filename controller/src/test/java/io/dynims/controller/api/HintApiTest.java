package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.api.ApiFixture.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints through REST to a node's adapter and back. */
class HintApiTest {

  private static final String PATH = "/api/v1/hints";
  private static final String TYPE = "application/json";
  private static final String HINT = "{\"node\":\"n1\",\"owner\":\"job-1\",\"bytes\":500}";

  private static final String TOKEN = "a-token-for-hints";

  @TempDir private Path folder;
  @AutoClose private TokenFile tokens;
  @AutoClose private ApiFixture api;
  @AutoClose private TierServer adapter;

  @BeforeEach
  void serve() throws Exception {
    tokens = TokenFile.open(Files.writeString(folder.resolve("tokens"), TOKEN + "\n"));
    api =
        new ApiFixture(
            RestLimits.DEFAULT,
            new RestAccess(Optional.empty(), Optional.of(tokens), Optional.empty()));
    api.token = TOKEN;
    adapter =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore("memory", 0, 1_000),
            new GuardSettings("n1", Optional.empty(), StateFile.open(Optional.empty())),
            TierAccess.anyone());
    api.apply(document("n1", adapter.uri(), "Enforce", "1000"));
  }

  @Test
  void aHintReachesTheAdapterOfItsNodeWhichKeepsIt() throws Exception {
    HttpResponse<String> given = api.post(PATH, TYPE, HINT);

    assertThat(given.statusCode()).as(given.body()).isEqualTo(200);
    JsonNode hint = JSON.readTree(given.body());
    assertThat(hint.get("node").asText()).isEqualTo("n1");
    assertThat(hint.get("expiresMillis").asLong() - hint.get("startMillis").asLong())
        .isEqualTo(Hint.DEFAULT_MILLIS);
    assertThat(kept()).extracting(Hint::owner).containsExactly("job-1");

    assertThat(api.get(PATH).get("hints")).as("it has not told it yet").isEmpty();
    TierStatus told = new TierClient(adapter.uri()).get().tier();
    api.run(
        () ->
            api.fleet.recordReply(
                api.fleet.tiers("n1").get(0), new TierReply(AckStatus.Applied, told, ""), false));
    assertThat(api.get(PATH).get("hints")).containsExactly(hint);
  }

  @Test
  void aHintIsWithdrawnByItsOwner() throws Exception {
    api.post(PATH, TYPE, HINT);

    for (int i = 0; i < 2; i++) {
      HttpResponse<String> withdrawn = api.send("DELETE", PATH + "/n1/job-1");
      assertThat(withdrawn.statusCode()).as(withdrawn.body()).isEqualTo(204);
      assertThat(kept()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | {                                                | 400 |",
        "application/json | {\"owner\":\"a\",\"bytes\":1}                      | 400 | node",
        "application/json | {\"node\":\"n1\",\"owner\":\"a b\",\"bytes\":1}    | 400 | owner",
        "application/json | {\"node\":\"n1\",\"owner\":\"a\",\"bytes\":0}      | 400 | bytes",
        "application/json | {\"node\":\"n1\",\"owner\":\"a\"}                  | 400 | bytes",
        "application/json | {\"node\":\"n9\",\"owner\":\"a\",\"bytes\":1}      | 404 | node",
        "application/json | {\"node\":\"n1\",\"owner\":\"a\",\"bytes\":1,\"expiresMillis\":1} | 400 |"
            + " expiresMillis",
        "text/plain       | {\"node\":\"n1\",\"owner\":\"a\",\"bytes\":1}      | 415 |",
      })
  void aWrongHintIsRefused(String type, String body, int status, String field) throws Exception {
    HttpResponse<String> refused = api.post(PATH, type, body);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
    assertThat(JSON.readTree(refused.body()).path("field").asText("")).isEqualTo(text(field));
    assertThat(kept()).isEmpty();
  }

  @Test
  void nobodyGivesOrWithdrawsAHintWithoutAToken() throws Exception {
    api.post(PATH, TYPE, HINT);
    for (String wrong : new String[] {null, "another-token-of-16"}) {
      api.token = wrong;

      assertThat(api.post(PATH, TYPE, HINT.replace("500", "1")).statusCode()).isEqualTo(401);
      assertThat(api.send("DELETE", PATH + "/n1/job-1").statusCode()).isEqualTo(401);
      assertThat(kept()).extracting(Hint::bytes).containsExactly(500L);
      assertThat(api.send("GET", PATH).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aControllerWithoutTokensTakesNoHints() throws Exception {
    try (ApiFixture open = new ApiFixture()) {
      open.apply(document("n1", adapter.uri(), "Enforce", "1000"));
      HttpResponse<String> refused = open.post(PATH, TYPE, HINT);

      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("http.token.file", "http.hints.token.file");
      assertThat(kept()).isEmpty();
    }
  }

  /** Every adapter sees it, and whoever poses as one. */
  @Test
  void aTokenThatIsSentToAdaptersGivesNoHint() throws Exception {
    try (ApiFixture pushing =
        new ApiFixture(RestLimits.DEFAULT, RestAccess.anyone(), Optional.of(tokens))) {
      pushing.apply(document("n1", adapter.uri(), "Enforce", "1000"));
      pushing.token = TOKEN;

      assertThat(pushing.post(PATH, TYPE, HINT).statusCode()).isEqualTo(403);
      assertThat(pushing.send("DELETE", PATH + "/n1/job-1").statusCode()).isEqualTo(403);
      assertThat(kept()).isEmpty();
    }
  }

  @Test
  void aLargeBodyIsRefused() throws Exception {
    assertThat(api.post(PATH, TYPE, " ".repeat(5_000) + HINT).statusCode()).isEqualTo(413);
  }

  @Test
  void aHintThatNoAdapterKeepsIsNotTaken() throws Exception {
    adapter.close();

    HttpResponse<String> given = api.post(PATH, TYPE, HINT);
    assertThat(given.statusCode()).isEqualTo(503);
    assertThat(given.body()).contains("does not answer");
    assertThat(api.send("DELETE", PATH + "/n1/job-1").statusCode()).isEqualTo(503);
  }

  private static String text(String field) {
    return field == null ? "" : field;
  }

  /** What the adapter keeps. */
  private List<Hint> kept() throws Exception {
    List<Hint> hints = new TierClient(adapter.uri()).get().tier().hints();
    return hints == null ? List.of() : hints;
  }
}
