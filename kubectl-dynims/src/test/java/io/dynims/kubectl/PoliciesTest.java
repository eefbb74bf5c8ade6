package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.kubectl.Plugin.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The policies, and YAML. */
class PoliciesTest extends PluginTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({"policies, policies", "policies --output=wide, policies-wide"})
  void listsThePoliciesAndWhatIsWrongWithThem(String command, String golden) throws Exception {
    assertPrints(command, "policies", golden);
  }

  @Test
  void saysThatThereAreNoPolicies() throws Exception {
    controller.answers.put("/api/v1/policies", "{\"policies\":[]}");
    assertThat(plugin.run("policies").out()).isEqualTo("no policies\n");

    controller.answers.put("/api/v1/policies", "{}");
    assertThat(plugin.run("policies").err()).contains("is it the DynIMS controller?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"policies", "tiers"})
  void yamlIsTheSameDocumentAsJson(String command) throws Exception {
    controller.answers.put("/api/v1/" + command, resource(command + ".json"));

    Ended ended = plugin.run(command, "-o", "yaml");
    assertThat(ended.err()).isEmpty();
    assertThat(read(ended.out())).isEqualTo(JSON.readTree(resource(command + ".json")));
    assertThat(JSON.readTree(plugin.run(command, "-o", "json").out())).isEqualTo(read(ended.out()));
  }

  @Test
  void yamlKeepsTextsThatLookLikeOtherValues() throws Exception {
    String answer =
        "{\"tiers\":[],\"a\":[\"on\",\"Off\",\"1\",\"\",\"null\",\"~\",\"- x\",\"a: b\",\"#\"],"
            + "\"b\":{},\"c\":[[1,[]],{\"d\":null}],\"e\\n\":\"\\\"\\\\\\u001b\\ud83d\\ude00é\",\"f\":-0.5}";
    controller.answers.put("/api/v1/tiers", answer);

    String yaml = plugin.run("tiers", "-o", "yaml").out();
    assertThat(read(yaml)).isEqualTo(JSON.readTree(answer));
    assertThat(yaml).doesNotContainPattern("[^ -~\\n]");
  }

  private static JsonNode read(String yaml) {
    return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
  }
}
