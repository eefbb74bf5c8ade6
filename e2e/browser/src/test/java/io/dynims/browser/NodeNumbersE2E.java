package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

/** The numbers and decisions of a node's view equal those of the API. */
class NodeNumbersE2E {

  @TempDir private static Path policies;
  private static StaleFleet fleet;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    fleet = StaleFleet.start(policies, "node-numbers");
    browser = fleet.browser();
  }

  @AfterAll
  static void end() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  @Test
  void theNodeViewShowsTheTierAndItsDecisions() {
    for (JsonNode tier : fleet.tiers()) {
      String node = tier.path("node").asText();
      String name = tier.path("tier").asText();
      browser.run("location.hash = arguments[0]", "#/node/" + node + "/" + name);
      Browser.await().until(() -> browser.text("#node-title").equals(node + " · " + name));
      JsonNode history =
          fleet.get("/api/v1/tiers/" + node + "/history?last=5m&tier=" + name).path("decisions");
      Browser.await().until(() -> browser.all("#decisions tr").size() == history.size());
      JsonNode last = tier.path("lastDecision");
      int facts = last.has("forecast") ? 20 : 16;
      Browser.await().until(() -> fleet.facts("#facts").size() == facts);

      assertThat(fleet.facts("#facts"))
          .containsEntry("State", "Stale: " + tier.path("stateReason").asText())
          .containsEntry("Mode", Shown.text(tier.path("mode")))
          .containsEntry("Policy", Shown.text(tier.path("policy")))
          .containsEntry("Law", Shown.text(tier.path("law")))
          .containsEntry(
              "Utilization",
              Shown.percent(tier.path("utilization"))
                  + ", threshold "
                  + Shown.percent(tier.path("threshold")))
          .containsEntry("Desired", Shown.bytes(tier.path("desiredBytes")))
          .containsEntry("In force", Shown.bytes(tier.path("capacityBytes")))
          .containsEntry("Used", Shown.bytes(tier.path("usedBytes")))
          .containsEntry("Decided by", "the job")
          .containsEntry("Exists nowhere else", "–")
          .containsEntry("Hit ratio, last minute", "–")
          .containsEntry("Cannot be evicted", Shown.bytes(tier.path("unevictableBytes")))
          .containsEntry(
              "Bounds",
              Shown.bytes(tier.path("minBytes")) + " to " + Shown.bytes(tier.path("maxBytes")))
          .containsEntry(
              "Memory in use",
              Shown.bytes(tier.path("memoryUsedBytes"))
                  + " of "
                  + Shown.bytes(tier.path("memoryTotalBytes")))
          .containsEntry("Limited by", last.path("limitedBy").asText());
      if (last.has("forecast")) {
        assertThat(fleet.facts("#facts"))
            .containsEntry(
                "Jobs",
                Shown.bytes(last.at("/forecast/jobBytes"))
                    + ", forecast "
                    + Shown.bytes(last.at("/forecast/jobAheadBytes")))
            .containsEntry(
                "Used then",
                Shown.bytes(last.path("tierUsedBytes"))
                    + ", "
                    + last.path("tierUsedAgeMillis").asText()
                    + "ms before the sample")
            .containsEntry("Memory pressure", Shown.percent(last.path("pressure")))
            .containsEntry("Safe capacity", Shown.bytes(last.at("/forecast/safeBytes")));
      }
      assertThat(fleet.rows("#decisions tr")).isEqualTo(decisions(history));
    }
  }

  @Test
  void theTiersOfANodeAreOneStack() throws IOException {
    browser.run("location.hash = '#/node/n1/alluxio'");
    Browser.await().until(() -> browser.text("#memory-text").contains(", second "));

    JsonNode alluxio = last("alluxio");
    JsonNode second = last("second");
    long jobBytes =
        alluxio.path("memoryUsedBytes").asLong()
            - alluxio.path("tierUsedBytes").asLong()
            - second.path("tierUsedBytes").asLong();
    assertThat(browser.text("#memory-text"))
        .contains(
            ": jobs "
                + Shown.bytes(new LongNode(jobBytes))
                + ", alluxio "
                + Shown.bytes(alluxio.path("tierUsedBytes"))
                + ", second "
                + Shown.bytes(second.path("tierUsedBytes"))
                + ", free ");
    browser.screenshot("node-stack");
    browser.run("location.hash = '#/node/n2/alluxio'");
    Browser.await().until(() -> browser.text("#memory-text").contains(", tier "));
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void theNodeViewSaysHowToPauseTheTierAndWhereToReadOn() {
    browser.run("location.hash = '#/node/n3/alluxio'");
    Browser.await().until(() -> browser.text("#pause-command").contains("n3"));

    assertThat(browser.text("#pause-command")).isEqualTo("dynims.io/paused-nodes: \"n3\"");
    assertThat(browser.text("#pause-text")).contains("alluxio.yaml, document 1 (alluxio)");
    assertThat(browser.all("#links a"))
        .extracting(link -> link.getDomAttribute("href"))
        .containsExactly(
            "https://runbook.example.org/#Stale", "https://dashboard.example.org/?node=n3");
    assertThat(browser.all("#decisions tr td:first-child").get(0).getDomAttribute("title"))
        .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[.]\\d UTC([+-]\\d\\d:\\d\\d)?");
  }

  @Test
  void theNodeViewShowsWhatAnotherPolicyWouldHaveDone() throws IOException {
    browser.run("location.hash = '#/node/n1/alluxio'");
    Browser.await().until(() -> browser.text("#pause-command").contains("n1"));
    browser.all("#what-if summary").get(0).click();
    new Select(browser.all("#what-if-law").get(0)).selectByVisibleText("Feedback");
    browser.all("#what-if-threshold").get(0).clear();
    browser.all("#what-if-threshold").get(0).sendKeys("80");
    browser.all("#what-if-gain").get(0).sendKeys("1\n");

    Browser.await().until(() -> browser.all("#what-if-figures tr").size() == 2);
    JsonNode simulation =
        fleet.get(
            "/api/v1/tiers/n1/simulation?tier=alluxio&last=5m&law=Feedback&threshold=0.8&gain=1");
    assertThat(fleet.rows("#what-if-figures tr"))
        .containsExactly(
            figures("Recorded", simulation.path("recorded")),
            figures("Simulated: Feedback, 80.0%, λ 1", simulation.path("simulated")));
    assertThat(simulation.at("/simulated/meanCapacityBytes").asLong())
        .as("a lower target leaves the tier less")
        .isLessThan(simulation.at("/recorded/meanCapacityBytes").asLong());
    assertThat(browser.text("#what-if-text")).startsWith(simulation.path("points").size() + " ");
    Browser.await().until(() -> browser.isPainted("what-if-utilization"));
    Browser.await().until(() -> browser.isPainted("what-if-capacity"));
    assertThat(browser.accessibilityViolations()).isEmpty();
    browser.run("document.getElementById('what-if').scrollIntoView()");
    browser.screenshot("what-if");
    // What was simulated of one tier is not shown for another.
    browser.run("location.hash = '#/node/n3/alluxio'");
    Browser.await().until(() -> browser.text("#pause-command").contains("n3"));
    assertThat(browser.text("#what-if-figures")).isEmpty();
    browser.all("#what-if summary").get(0).click();
    assertThat(browser.consoleErrors()).isEmpty();
  }

  private static List<String> figures(String name, JsonNode figures) {
    return List.of(
        name,
        Shown.percent(figures.path("maxUtilization")),
        Shown.duration(figures.path("aboveThresholdMillis")),
        Shown.duration(figures.path("aboveMemoryMillis")),
        Shown.bytes(figures.path("meanCapacityBytes")),
        Shown.bytes(figures.path("evictedBytes")),
        figures.path("directionChanges").asText());
  }

  private static JsonNode last(String tier) {
    return fleet.get("/api/v1/tiers/n1/history?last=1&tier=" + tier).at("/decisions/0");
  }

  @Test
  void theKeyboardSelectsTheLastHour() throws IOException {
    browser.run("location.hash = '#/node/n1/alluxio'");
    JsonNode hour = fleet.get("/api/v1/tiers/n1/history?last=1h&tier=alluxio").path("decisions");
    JsonNode minutes = fleet.get("/api/v1/tiers/n1/history?last=5m&tier=alluxio").path("decisions");
    assertThat(hour.size()).isEqualTo(minutes.size() + 1);
    Browser.await().until(() -> browser.all("#decisions tr").size() == minutes.size());

    browser.all("#spans input:checked").get(0).sendKeys(Keys.ARROW_RIGHT);
    Browser.await().until(() -> browser.all("#decisions tr").size() == hour.size());
    assertThat(fleet.rows("#decisions tr")).isEqualTo(decisions(hour));
    assertThat(browser.accessibilityViolations()).isEmpty();
    browser.screenshot("node-hour");
    browser.all("#spans input:checked").get(0).sendKeys(Keys.ARROW_LEFT);
    Browser.await().until(() -> browser.all("#decisions tr").size() == minutes.size());
    assertThat(browser.consoleErrors()).isEmpty();
  }

  private static List<List<String>> decisions(JsonNode history) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode decision : history) {
      rows.add(
          List.of(
              Shown.time(decision.path("decidedMillis")),
              Shown.text(decision.path("action")),
              Shown.percent(decision.path("utilization")),
              Shown.bytes(decision.path("memoryUsedBytes")),
              Shown.bytes(decision.path("previousBytes")),
              Shown.change(-decision.path("stepBytes").asLong()),
              Shown.bytes(decision.path("desiredBytes")),
              Shown.text(decision.path("limitedBy")),
              "Job",
              Shown.text(decision.path("reason"))));
    }
    return rows;
  }
}
