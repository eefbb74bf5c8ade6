package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.kubectl.Plugin.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of tiers. */
class TiersTest extends PluginTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({"tiers, tiers", "tiers --output=wide, tiers-wide"})
  void showsWhatEveryTierIsDoing(String command, String golden) throws Exception {
    assertPrints(command, "tiers", golden);
  }

  @Test
  void printsAllFieldsOfTheControllerAsJson() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));

    assertThat(JSON.readTree(plugin.run("tiers", "-o", "json").out()))
        .isEqualTo(JSON.readTree(resource("tiers.json")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tiers\":[]} | no tiers: no MemoryTier selects a node",
        "[]             | is not a JSON object; is it the DynIMS controller?",
        "<html>         | is not a JSON object; is it the DynIMS controller?",
        "{}             | has no list of tiers; is it the DynIMS controller?"
      })
  void saysWhyThereAreNoTiers(String answer, String expected) throws Exception {
    controller.answers.put("/api/v1/tiers", answer);
    controller.answers.put("/readyz", "{\"status\":\"ready\"}");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).contains(expected);
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void saysWhatAControllerThatIsNotReadyLacks() throws Exception {
    controller.answers.put("/api/v1/tiers", "{\"tiers\":[]}");

    assertThat(plugin.run("tiers").err()).contains("no tiers: ", "no /readyz");
  }

  @Test
  void reportsAControllerThatDoesNotAnswer() throws Exception {
    controller.close();
    Ended ended = plugin.run("tiers");

    assertThat(ended.err())
        .isEqualTo(
            "kubectl dynims: %s does not answer: Connection refused; is the controller running there?\n"
                .formatted(controller.url()));
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void sendsTheFirstTokenOfAFile() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    controller.token = "the-newer-token==";
    Path file =
        Files.writeString(
            folder.resolve("token"), "# ours\n\nthe-newer-token==\nthe-older-token\n");

    assertThat(plugin.run("tiers").err())
        .isEqualTo(
            "kubectl dynims: %s: a token is needed; --token-file FILE sends one\n"
                .formatted(controller.url()));
    Ended ended = plugin.run("tiers", "--token-file", file.toString());
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource("tiers.txt"));
  }

  @Test
  void namesATokenFileThatCannotBeUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "two words\n");

    assertThat(plugin.run("tiers", "--token-file", file.toString()).err())
        .isEqualTo("kubectl dynims: the first line of " + file + " is not a token\n");
    assertThat(plugin.run("tiers", "--token-file", file + ".old").err())
        .isEqualTo(
            "kubectl dynims: cannot read the token file %s.old: No such file or directory\n"
                .formatted(file));
  }

  @Test
  void keepsWatchingAControllerThatFailsAndRecovers() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    Process process = plugin.start("tiers", "--watch");
    try {
      within().until(() -> plugin.out().contains("node-2"));
      controller.answers.put("/api/v1/tiers", "<html>");
      within().until(() -> Files.readString(folder.resolve("err")).contains("not a JSON object"));
      controller.answers.put("/api/v1/tiers", resource("tiers.json").replace("node-2", "node-9"));
      within().until(() -> plugin.out().contains("node-9"));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor()).isNotZero();
  }

  /** Patient enough for a busy machine. */
  private static ConditionFactory within() {
    return await().atMost(Duration.ofMinutes(3));
  }
}
