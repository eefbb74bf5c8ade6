package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Alert rules and the dashboard. */
class MonitoringTest {

  private static final Pattern SERIES = Pattern.compile("\\b(dynims|flink)_[a-zA-Z_]+");

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
              assertThat(rule.path("for").asText()).matches("[0-9]+[ms]");
              assertThat(rule.at("/labels/severity").asText()).isIn("info", "warning", "critical");
              // What is not there has neither labels nor a value.
              if (!rule.path("expr").asText().startsWith("absent")) {
                assertThat(rule.at("/annotations/summary").asText()).contains("{{ $");
              }
              assertThat(rule.at("/annotations/description").asText()).endsWith(".");
            });
  }

  /** Run by {@code AlertsE2E} of {@code e2e/cluster}, which has Prometheus's own tool. */
  @Test
  void everyAlertIsTestedToFireAndNotTo() {
    JsonNode tests = Chart.file("../src/test/alerts/alerts-test.yaml").path("tests");
    Map<String, Set<Boolean>> fires = new HashMap<>();
    for (JsonNode group : tests) {
      for (JsonNode test : group.path("alert_rule_test")) {
        fires
            .computeIfAbsent(test.path("alertname").asText(), name -> new HashSet<>())
            .add(!test.path("exp_alerts").isEmpty());
      }
    }
    assertThat(Chart.file("files/alerts.yaml").at("/groups/0/rules").findValuesAsText("alert"))
        .isNotEmpty()
        .allSatisfy(
            alert -> assertThat(fires.get(alert)).as(alert).containsExactlyInAnyOrder(true, false));
  }

  @Test
  void everyAlertHasARunbookOfItsSeverityAndLinksToTheDashboard() throws Exception {
    Map<String, String> runbooks = runbooks();
    JsonNode rules = Chart.file("files/alerts.yaml").at("/groups/0/rules");
    String dashboard = "d/" + dashboard().path("uid").asText();

    assertThat(rules)
        .allSatisfy(
            rule -> {
              String alert = rule.path("alert").asText();
              String severity = rule.at("/labels/severity").asText();
              assertThat(runbooks.get(alert)).as(alert).startsWithIgnoringCase(severity);
              assertThat(runbooks.get(alert)).contains("What it means", "Look at", "What to do");
              JsonNode links = rule.path("annotations");
              assertThat(links.path("runbook_url").asText())
                  .isEqualTo("docs/alerts.md#" + alert.toLowerCase(Locale.ROOT));
              assertThat(links.path("dashboard_url").asText()).isEqualTo(dashboard);
            });
    assertThat(runbooks.keySet())
        .containsExactlyInAnyOrderElementsOf(rules.findValuesAsText("alert"));
  }

  @Test
  void linksOfAlertsAreMadeAddresses() {
    JsonNode rules =
        new Chart()
            .variant("monitoring")
            .set("monitoring.prometheusRule.docsUrl", "https://git.example.org/dynims/docs/")
            .set("monitoring.prometheusRule.grafanaUrl", "https://grafana.example.org")
            .render()
            .one("PrometheusRule", "dynims")
            .at("/spec/groups/0/rules");

    assertThat(rules.findValuesAsText("runbook_url"))
        .hasSize(rules.size())
        .contains("https://git.example.org/dynims/docs/alerts.md#dynimskafkalag");
    assertThat(rules.findValuesAsText("dashboard_url"))
        .hasSize(rules.size())
        .containsOnly("https://grafana.example.org/d/dynims");
  }

  @Test
  void runbooksAreThoseOfTheControllersServiceUnlessTheirAddressIsGiven() {
    Chart chart = new Chart().variant("monitoring").set("controller.service.port", "8088");

    assertThat(runbookUrls(chart))
        .contains("http://dynims-controller.memory.svc:8088/page/alerts.md#dynimskafkalag")
        .allMatch(
            url -> url.startsWith("http://dynims-controller.memory.svc:8088/page/alerts.md#"));
    assertThat(runbookUrls(chart.set("controller.tlsSecret", "controller-tls")))
        .contains("https://dynims-controller.memory.svc:8088/page/alerts.md#dynimskafkalag");
  }

  private static List<String> runbookUrls(Chart chart) {
    return chart.render().one("PrometheusRule", "dynims").findValuesAsText("runbook_url");
  }

  /** The sections of docs/alerts.md by their headings, without the emphasis of their first word. */
  private static Map<String, String> runbooks() throws Exception {
    Map<String, String> sections = new HashMap<>();
    String page = Files.readString(Path.of("../docs/alerts.md"));
    for (String section : page.split("(?m)^## ", -1)) {
      if (section.startsWith("DynIMS")) {
        String[] parts = section.split("\\n", 2);
        sections.put(parts[0], parts[1].strip().replace("**", ""));
      }
    }
    return sections;
  }

  @Test
  void agentsAndFlinkAreScrapedWherePodsAre() {
    Manifests manifests = new Chart().variant("monitoring").render();
    for (String workload : new String[] {"-agent", "-flink-jobmanager", "-flink-taskmanager"}) {
      String kind = workload.equals("-agent") ? "DaemonSet" : "Deployment";
      JsonNode pods = manifests.one(kind, workload);
      List<JsonNode> scraping =
          manifests.ofKind("PodMonitor").stream().filter(each -> selects(each, pods)).toList();
      assertThat(scraping).as(workload).hasSize(1);
      JsonNode endpoint = scraping.get(0).at("/spec/podMetricsEndpoints/0");
      assertThat(endpoint.path("interval").asText()).isEqualTo("15s");
      assertThat(Manifests.containers(pods).stream().map(each -> each.path("ports")).toList())
          .as("a port of %s", workload)
          .anyMatch(
              ports -> ports.findValuesAsText("name").contains(endpoint.path("port").asText()));
    }
  }

  @Test
  void flinkServesItsMetricsOnlyWhereTheyAreScraped() {
    assertThat(flinkConfig(new Chart()).has("metrics.reporter.prometheus.port")).isFalse();
    assertThat(
            flinkConfig(new Chart().variant("monitoring"))
                .path("metrics.reporter.prometheus.port")
                .asInt())
        .isEqualTo(9249);
    assertThat(
            new Chart()
                .variant("monitoring")
                .set("flink.external.enabled", true)
                .render()
                .ofKind("PodMonitor"))
        .hasSize(1);
  }

  private static JsonNode flinkConfig(Chart chart) {
    String text = chart.render().one("ConfigMap", "-flink").at("/data/config.yaml").asText();
    return Chart.parse(text).get(0);
  }

  private static boolean selects(JsonNode monitor, JsonNode workload) {
    JsonNode labels = Manifests.podTemplate(workload).at("/metadata/labels");
    return monitor.at("/spec/selector/matchLabels").properties().stream()
            .allMatch(label -> label.getValue().equals(labels.get(label.getKey())))
        && Manifests.stream(monitor.at("/spec/selector/matchExpressions"))
            .allMatch(
                rule ->
                    Manifests.texts(rule.path("values"))
                        .contains(labels.path(rule.path("key").asText()).asText()));
  }

  @Test
  void everySeriesThatIsAskedForIsDocumented() throws Exception {
    String documented = Files.readString(Path.of("../docs/metrics-and-alerts.md"));
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
    assertThat(new Chart().render().ofKind("PodMonitor")).isEmpty();
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
