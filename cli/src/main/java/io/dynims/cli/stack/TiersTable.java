package io.dynims.cli.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The controller's list of tiers as a table. */
public final class TiersTable {

  private TiersTable() {}

  /** One line for the head and one for each tier. */
  public static List<String> lines(JsonNode answer) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "NODE",
            "TIER",
            "MODE",
            "STATE",
            "CAPACITY",
            "USED",
            "UTILIZATION",
            "AGE",
            "LAST DECISION"));
    for (JsonNode tier : answer.path("tiers")) {
      rows.add(
          List.of(
              text(tier, "node"),
              text(tier, "tier"),
              text(tier, "mode"),
              text(tier, "state"),
              bytes(tier, "capacityBytes"),
              bytes(tier, "usedBytes"),
              percent(tier.path("utilization")),
              tier.path("ageMillis").isNumber()
                  ? Text.millis(tier.path("ageMillis").asLong())
                  : "-",
              decision(tier.path("lastDecision"))));
    }
    return Text.table(rows);
  }

  private static String decision(JsonNode decision) {
    if (!decision.isObject()) {
      return "-";
    }
    return text(decision, "action")
        + " to "
        + bytes(decision, "desiredBytes")
        + ": "
        + text(decision, "reason");
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText("-");
  }

  private static String bytes(JsonNode node, String field) {
    return node.path(field).isNumber() ? Text.bytes(node.path(field).asLong()) : "-";
  }

  private static String percent(JsonNode ratio) {
    return ratio.isNumber() ? String.format(Locale.ROOT, "%.1f %%", ratio.asDouble() * 100) : "-";
  }
}
