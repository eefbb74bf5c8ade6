package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A MemoryTier that a cluster stores by the definition of the version before stays valid by the new
 * one. The definition of the version before is replaced with each release, see docs/release.md.
 */
class CrdUpgradeTest {

  private static final Set<String> BOUNDS =
      Set.of(
          "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength");

  private final List<String> problems = new ArrayList<>();

  @Test
  void whatIsStoredStaysValid() throws IOException {
    JsonNode before = before().path("spec");
    JsonNode now = Chart.file("files/memorytiers.dynims.io.yaml").path("spec");

    assertThat(now.path("group")).isEqualTo(before.path("group"));
    assertThat(now.path("scope")).isEqualTo(before.path("scope"));
    assertThat(now.path("names")).isEqualTo(before.path("names"));
    for (JsonNode version : before.path("versions")) {
      JsonNode same = version(now, version.path("name").asText());
      assertThat(same.path("served").asBoolean()).as("%s", version.path("name")).isTrue();
      compare("", schema(version), schema(same));
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void whatIsStoredIsStoredInTheSameVersion() throws IOException {
    assertThat(stored(Chart.file("files/memorytiers.dynims.io.yaml"))).isEqualTo(stored(before()));
  }

  @Test
  void aStricterDefinitionIsNoticed() throws IOException {
    JsonNode before = schema(before().at("/spec/versions/0"));
    String text = before.toString();
    JsonNode without = parse(text.replace("\"unpersisted\":", "\"persisted\":"));
    JsonNode narrower = parse(text.replace("\"Recommend\"", "\"Advise\""));
    JsonNode required =
        parse(text.replace("[\"capacity\",\"nodes\"]", "[\"capacity\",\"nodes\",\"mode\"]"));

    compare("", before, without);
    assertThat(problems).containsExactly("spec.unpersisted is gone");
    problems.clear();
    compare("", before, narrower);
    assertThat(problems).contains("spec.mode no longer takes \"Recommend\"");
    problems.clear();
    compare("", before, required);
    assertThat(problems).containsExactly("spec.mode is required now");
  }

  private void compare(String path, JsonNode before, JsonNode now) {
    if (!now.path("type").equals(before.path("type"))) {
      problems.add(path + " has another type");
    }
    required(now).stream()
        .filter(name -> !required(before).contains(name))
        .forEach(name -> problems.add(child(path, name) + " is required now"));
    if (now.has("enum")) {
      List<JsonNode> values = Manifests.stream(now.path("enum")).toList();
      Manifests.stream(before.path("enum"))
          .filter(value -> !values.contains(value))
          .forEach(value -> problems.add(path + " no longer takes " + value));
    }
    for (String bound : BOUNDS) {
      if (now.has(bound) && !now.path(bound).equals(before.path(bound))) {
        problems.add(path + " has another " + bound);
      }
    }
    if (now.has("pattern") && !now.path("pattern").equals(before.path("pattern"))) {
      problems.add(path + " has another pattern");
    }
    before
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String name = child(path, field.getKey());
              JsonNode same = now.path("properties").path(field.getKey());
              if (same.isMissingNode()) {
                problems.add(name + " is gone");
              } else {
                compare(name, field.getValue(), same);
              }
            });
    if (before.has("items")) {
      compare(path + "[]", before.path("items"), now.path("items"));
    }
  }

  private static Set<String> required(JsonNode schema) {
    return new TreeSet<>(Manifests.texts(schema.path("required")));
  }

  private static String child(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static JsonNode version(JsonNode spec, String name) {
    return Manifests.stream(spec.path("versions"))
        .filter(each -> each.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("version " + name + " is gone"));
  }

  private static JsonNode schema(JsonNode version) {
    return version.at("/schema/openAPIV3Schema");
  }

  private static String stored(JsonNode definition) {
    return Manifests.stream(definition.at("/spec/versions"))
        .filter(version -> version.path("storage").asBoolean())
        .findFirst()
        .orElseThrow()
        .path("name")
        .asText();
  }

  private static JsonNode before() throws IOException {
    try (InputStream in = CrdUpgradeTest.class.getResourceAsStream("memorytiers-before.yaml")) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static JsonNode parse(String text) {
    return Chart.parse(text).get(0);
  }
}
