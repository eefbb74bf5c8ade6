package io.dynims.cli.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;

/** Checks with the controller that samples arrive, decisions are made and the tier is resized. */
final class ClosedLoop {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final StackSettings settings;
  private final Probes probes;
  private final Clock clock;

  ClosedLoop(StackSettings settings, Probes probes, Clock clock) {
    this.settings = settings;
    this.probes = probes;
    this.clock = clock;
  }

  /** What is missing and which log to read; empty if the loop is closed. */
  Optional<String> missing() throws IOException, InterruptedException {
    String body = probes.get(settings.controllerUrl() + "/api/v1/tiers").body();
    return missing(JSON.readTree(body), clock.millis());
  }

  Optional<String> missing(JsonNode answer, long nowMillis) {
    for (JsonNode tier : answer.path("tiers")) {
      if (tier.path("node").asText().equals(settings.nodeName())) {
        return missingOf(tier, nowMillis);
      }
    }
    return Optional.of(
        "the controller lists no tier of "
            + settings.nodeName()
            + " (see ./dynims logs controller)");
  }

  private Optional<String> missingOf(JsonNode tier, long nowMillis) {
    if (tier.path("mode").asText().equals("Off")) {
      return Optional.empty(); // The policy turns decisions off.
    }
    if (!tier.path("lastDecision").isObject()) {
      return Optional.of("no decision was made yet (see ./dynims logs flink, logs collectd)");
    }
    long ageMillis = nowMillis - tier.path("sampledMillis").asLong();
    if (ageMillis > settings.staleAfterMillis()) {
      return Optional.of(
          "the last sample is " + Text.millis(ageMillis) + " old (see ./dynims logs collectd)");
    }
    if (settings.mode().equals("Enforce") && !tier.path("capacityBytes").isNumber()) {
      return Optional.of("no capacity is in force yet (see ./dynims logs adapter)");
    }
    return Optional.empty();
  }
}
