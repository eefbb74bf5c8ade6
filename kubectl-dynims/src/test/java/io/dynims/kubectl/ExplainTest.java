package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.dynims.kubectl.Plugin.Ended;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The explanation of a decision. The documents are what a controller answered in that state. */
class ExplainTest extends PluginTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shrink",
        "partial",
        "stale",
        "guarded",
        "unreachable",
        "pending",
        "recommending",
        "off",
        "earlier-job",
        "forecast"
      })
  void explainsTheLastDecision(String state) throws Exception {
    controller.answers.put("/api/v1/tiers/n", resource(state + ".json"));
    Ended ended = plugin.run("explain", "n");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource(state + ".txt"));
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void reportsAPolicyThatChangedSinceTheDecision() throws Exception {
    String before = resource("shrink.json");
    String document = before.replaceFirst("\"threshold\": 0.95", "\"threshold\": 0.9");
    controller.answers.put("/api/v1/tiers/n", document);

    assertThat(plugin.run("explain", "n").out()).contains("0.9500      policy, now 0.9000");
  }

  @ParameterizedTest
  @CsvSource({
    "Unconfirmed, no recent answer of the tier",
    "Unpersisted, data that exists nowhere else",
    "Guard, 'the guard, which brakes'",
    "DeadBand, dead band",
    "Settling, settle time",
    "HeadStart, head start",
    "MaxStep, largest step",
    "Pressure, memory pressure",
    "Later, Later"
  })
  void namesWhatLimitedTheDecision(String limit, String shown) throws Exception {
    String document =
        resource("forecast.json")
            .replace("\"limitedBy\": \"None\"", "\"limitedBy\": \"" + limit + "\"");
    controller.answers.put("/api/v1/tiers/n", document);

    assertThat(plugin.run("explain", "n").out()).containsPattern("limited by +" + shown + "\n");
  }

  @Test
  void printsAllFieldsOfTheControllerAsJson() throws Exception {
    controller.answers.put("/api/v1/tiers/n?tier=a%20b", resource("stale.json"));

    assertThat(JSON.readTree(plugin.run("explain", "n", "--tier", "a b", "-o", "json").out()))
        .isEqualTo(JSON.readTree(resource("stale.json")));
  }

  @Test
  void listsDecisionsWithTheirInputsAndReasons() throws Exception {
    String document = decisions("shrink.json", "stale.json", "earlier-job.json");
    controller.answers.put("/api/v1/tiers/n/history?tier=a%20b&last=5m", document);
    plugin.environment.put("TZ", "UTC");
    Ended ended = plugin.run("explain", "n", "--tier", "a b", "--last", "5m");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource("history.txt"));
    Ended json = plugin.run("explain", "n", "--tier", "a b", "--last", "5m", "-o", "json");
    assertThat(JSON.readTree(json.out())).isEqualTo(JSON.readTree(document));
  }

  @Test
  void saysWhyThereAreNoDecisions() throws Exception {
    controller.answers.put("/api/v1/tiers/node-2/history?last=3", "{\"decisions\":[]}");
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));

    Ended none = plugin.run("explain", "node-2", "--last", "3");
    assertThat(none.err()).isEqualTo("no decisions in that time\n");
    assertThat(none.exitCode()).isZero();
    assertThat(plugin.run("explain", "node-2", "--last", "9h").err())
        .endsWith(": no /api/v1/tiers/node-2/history?last=9h\n");
    assertThat(plugin.run("explain", "node-1", "--last", "3").err()).contains("select one with");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node-1               | node 'node-1' has several tiers: alluxio, second; select one with --tier",
        "node-1 --tier=nix    | node 'node-1' has no tier 'nix', only alluxio, second",
        "node-1.example.org   | node 'node-1.example.org' has no tier; did you mean node-1?",
        "od                   | node 'od' has no tier; did you mean node-1 or node-2?",
        "../../policies       | node '../../policies' has no tier; nodes with a tier: node-1, node-2"
      })
  void suggestsTheTiersThatExist(String arguments, String expected) throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    Ended ended = plugin.run(("explain " + arguments).split(" "));

    assertThat(ended.err()).isEqualTo("kubectl dynims: " + expected + "\n");
    assertThat(ended.out()).isEmpty();
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  private static String decisions(String... resources) throws IOException {
    ArrayNode decisions = JSON.createArrayNode();
    for (String each : resources) {
      decisions.add(JSON.readTree(resource(each)).get("lastDecision"));
    }
    return JSON.createObjectNode().set("decisions", decisions).toString();
  }
}
