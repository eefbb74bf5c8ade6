package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The numbers of the table and of the fleet's view equal those of the API. */
class FleetNumbersE2E {

  @TempDir private static Path policies;
  private static StaleFleet fleet;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    fleet = StaleFleet.start(policies, "fleet-numbers");
    browser = fleet.browser();
  }

  @AfterAll
  static void end() throws Exception {
    if (fleet != null) {
      fleet.close();
    }
  }

  @Test
  void theTableShowsEveryTier() {
    browser.run("location.hash = '#/'");
    Browser.await().until(() -> browser.all("#visible tr").size() == 4);
    List<List<String>> expected = new ArrayList<>();
    for (JsonNode tier : fleet.tiers()) {
      expected.add(
          List.of(
              Shown.text(tier.path("node")),
              Shown.text(tier.path("tier")),
              Shown.text(tier.path("mode")),
              Shown.text(tier.path("state")),
              Shown.percent(tier.path("utilization")),
              Shown.bytes(tier.path("desiredBytes")),
              Shown.bytes(tier.path("capacityBytes")),
              Shown.bytes(tier.path("usedBytes"))));
    }

    assertThat(fleet.rows("#visible tr").stream().map(row -> row.subList(0, 8)))
        .containsExactlyInAnyOrderElementsOf(expected);
    // The page asks once in a while only, and not at once on a busy machine.
    Browser.await().untilAsserted(this::theTableShowsTheAge);
  }

  private void theTableShowsTheAge() {
    // Ages grow between the two questions.
    long before = fleet.tiers().get(0).path("ageMillis").asLong();
    String shown = fleet.rows("#visible tr").get(0).get(8);
    long after = fleet.tiers().get(0).path("ageMillis").asLong();
    assertThat(shown).matches("[0-9.]+[sm]");
    double seconds = Double.parseDouble(shown.substring(0, shown.length() - 1));
    double unitMillis = shown.endsWith("m") ? 60_000 : 1_000;
    assertThat(seconds * unitMillis).isBetween(before - unitMillis - 500, after + 500.0);
  }

  @Test
  void theFirstViewShowsWhatDynImsDoesForTheFleet() throws Exception {
    browser.run("location.hash = '#/'");
    Browser.await().until(() -> fleet.facts("#summary").size() == 5);
    JsonNode summary = fleet.get("/api/v1/summary");
    String observed = " of " + seconds(summary.at("/lastHour/observedMillis")) + " node time";

    Browser.await()
        .untilAsserted(
            () ->
                assertThat(fleet.facts("#summary"))
                    .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                            "Lent to tiers now",
                            Shown.bytes(summary.path("capacityBytes")),
                            "Used by their data",
                            Shown.bytes(summary.path("usedBytes")),
                            "Reads served",
                            "–",
                            "Out of memory with static tiers",
                            seconds(summary.at("/lastHour/staticOverMillis")) + observed,
                            "Out of memory with DynIMS",
                            seconds(summary.at("/lastHour/overMillis")) + observed)));
    // The tier of n3 has 20 of its 60 GiB, and 6.5 of 128 GiB are free.
    assertThat(summary.at("/lastHour/staticOverMillis").asLong()).isPositive();
    assertThat(summary.at("/lastHour/overMillis").asLong()).isZero();
    assertThat(browser.all("#summary > div"))
        .allMatch(each -> each.getDomAttribute("title").length() > 20);
    Browser.await().until(() -> browser.all("#visible .spark path[d^='M']").size() == 4);
    browser.screenshot("first-view");
  }

  @Test
  void filtersAreInTheAddressAndSurviveAReload() {
    browser.run("location.hash = '#/?node=n1&law=Forecast'");
    Browser.await().until(() -> browser.text("#count").equals("2 of 4"));
    browser.run("window.isOld = true; location.reload()");
    Browser.await().until(() -> browser.run("return window.isOld") == null);
    Browser.await().until(() -> browser.text("#count").equals("2 of 4"));
    assertThat(browser.all("#filter-text").get(0).getDomProperty("value")).isEqualTo("n1");
    assertThat(browser.all("#filter-law").get(0).getDomProperty("value")).isEqualTo("Forecast");

    browser.all("#filter-text").get(0).clear();
    browser.all("#filter-text").get(0).sendKeys("n3");
    Browser.await()
        .until(() -> browser.run("return location.hash").equals("#/?node=n3&law=Forecast"));
    browser.run("location.hash = '#/?state=Unreachable'");
    Browser.await().until(() -> browser.text("#count").equals("0 of 4"));
    browser.run("location.hash = '#/'");
    Browser.await().until(() -> browser.text("#count").equals("4 of 4"));
  }

  @Test
  void refusedPoliciesAreShownWithTheirReasons() throws Exception {
    Path refused = policies.resolve("refused.yaml");
    Files.writeString(
        refused, "kind: MemoryTier\nmetadata: {name: refused}\nspec: {mode: Maybe}\n");
    Browser.await().until(() -> browser.text("#policy-problems").contains("'Maybe' is not one of"));
    assertThat(browser.text("#policy-problems")).contains("refused.yaml", "spec.mode");
    browser.screenshot("policy-problems");
    assertThat(browser.accessibilityViolations()).isEmpty();

    Files.delete(refused);
    Browser.await().until(() -> browser.text("#policy-problems").isEmpty());
  }

  @Test
  void theFleetViewShowsSumsAndCounts() {
    browser.run("location.hash = '#/fleet'");
    Browser.await().until(() -> browser.text("#histogram-text").contains("of 3"));
    Map<String, JsonNode> nodes = new TreeMap<>();
    for (JsonNode tier : fleet.tiers()) {
      nodes.merge(tier.path("node").asText(), tier, FleetNumbersE2E::newer);
    }
    long usedBytes = sum(nodes.values(), "memoryUsedBytes");
    long totalBytes = sum(nodes.values(), "memoryTotalBytes");

    assertThat(fleet.facts("#sums"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Nodes", "3",
                "Node memory", Shown.bytes(totalBytes),
                "In use",
                    Shown.bytes(usedBytes) + ", " + Shown.percent((double) usedBytes / totalBytes),
                "Tiers, desired", Shown.bytes(sum(fleet.tiers(), "desiredBytes")),
                "Tiers, in force", Shown.bytes(sum(fleet.tiers(), "capacityBytes")),
                "Tiers, used", Shown.bytes(sum(fleet.tiers(), "usedBytes"))));
    assertThat(totalBytes).isEqualTo(3 * 128 * StaleFleet.GIB);
    assertThat(fleet.rows("#states tr")).containsExactly(List.of("Stale", "4"));
    assertThat(fleet.rows("#limits tr")).containsExactlyInAnyOrderElementsOf(limits());
    assertThat(browser.text("#histogram-text")).isEqualTo("1 node of 3 above the threshold.");
  }

  /** A time of less than two minutes, as the page shows it. */
  private static String seconds(JsonNode millis) {
    long value = millis.asLong();
    if (value == 0) {
      return "0s";
    }
    return value < 1_000
        ? value + "ms"
        : new BigDecimal(value / 1e3).setScale(1, RoundingMode.HALF_UP) + "s";
  }

  private static JsonNode newer(JsonNode one, JsonNode other) {
    return one.path("sampledMillis").asLong() >= other.path("sampledMillis").asLong() ? one : other;
  }

  private static long sum(Iterable<JsonNode> all, String field) {
    return StreamSupport.stream(all.spliterator(), false)
        .mapToLong(each -> each.path(field).asLong())
        .sum();
  }

  private static List<List<String>> limits() {
    Map<String, Long> counts =
        StreamSupport.stream(fleet.tiers().spliterator(), false)
            .map(tier -> tier.at("/lastDecision/limitedBy").asText())
            .collect(Collectors.groupingBy(limit -> limit, Collectors.counting()));
    return counts.entrySet().stream().map(e -> List.of(e.getKey(), "" + e.getValue())).toList();
  }
}
