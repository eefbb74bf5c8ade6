package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
