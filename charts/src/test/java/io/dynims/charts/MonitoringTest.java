package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Alert rules and the dashboard. */
class MonitoringTest {

  private static final Pattern SERIES = Pattern.compile("\\bdynims_[a-z_]+");

  @Test
  void everyAlertSaysWhatItIsAbout() {
    JsonNode rules =
        new Chart()
            .variant("monitoring")
            .render()
            .one("PrometheusRule", "dynims")
            .at("/spec/groups/0/rules");

    assertThat(rules).hasSizeGreaterThan(4);
    assertThat(rules)
        .allSatisfy(
            rule -> {
              assertThat(rule.path("alert").asText()).startsWith("DynIMS");
              assertThat(rule.path("for").asText()).matches("[0-9]+m");
              assertThat(rule.at("/labels/severity").asText()).isIn("info", "warning");
              assertThat(rule.at("/annotations/summary").asText()).contains("{{ $");
              assertThat(rule.at("/annotations/description").asText()).endsWith(".");
            });
  }

  @Test
  void everySeriesThatIsAskedForIsDocumented() throws Exception {
    String documented = Files.readString(Path.of("../docs/operations.md"));
    List<String> expressions = new ArrayList<>();
    new Chart()
        .variant("monitoring")
        .render()
        .one("PrometheusRule", "dynims")
        .findValuesAsText("expr")
        .forEach(expressions::add);
    expressions.addAll(dashboard().findValuesAsText("expr"));

    assertThat(expressions).hasSizeGreaterThan(20);
    assertThat(expressions)
        .flatMap(text -> SERIES.matcher(text).results().map(found -> found.group()).toList())
        .map(name -> name.replaceFirst("_bucket$", ""))
        .allSatisfy(name -> assertThat(documented).contains("`" + name + "`"));
  }

  @Test
  void thePanelsOfTheDashboardDoNotOverlap() throws Exception {
    List<String> places = new ArrayList<>();
    for (JsonNode panel : dashboard().path("panels")) {
      JsonNode place = panel.path("gridPos");
      int x = place.path("x").asInt();
      assertThat(x + place.path("w").asInt()).isLessThanOrEqualTo(24);
      for (int column = x; column < x + place.path("w").asInt(); column++) {
        places.add(column + "/" + place.path("y").asInt());
      }
    }
    assertThat(places).doesNotHaveDuplicates();
  }

  @Test
  void nothingOfItIsThereByDefault() {
    assertThat(new Chart().render().ofKind("PrometheusRule")).isEmpty();
    assertThat(new Chart().render().ofKind("ConfigMap"))
        .noneMatch(map -> map.at("/metadata/name").asText().endsWith("dashboard"));
  }

  private static JsonNode dashboard() throws Exception {
    return new ObjectMapper()
        .readTree(
            new Chart()
                .variant("monitoring")
                .render()
                .one("ConfigMap", "dynims-dashboard")
                .at("/data/dynims.json")
                .asText());
  }
}
