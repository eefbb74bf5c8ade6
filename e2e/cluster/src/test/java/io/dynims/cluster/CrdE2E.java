package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the API server validates and shows MemoryTiers, in the words that a user of kubectl reads.
 */
class CrdE2E {

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: %s}
      spec: {%s}
      """;
  private static final String NODES = "nodes: {selector: {}}";
  private static final String LEAST = NODES + ", capacity: {max: 60Gi}";
  private static final String STATUS =
      """
      {"status": {"observedGeneration": 1, "mode": "Enforce",
        "nodes": {"total": 4, "ready": 3, "stale": 1},
        "capacity": {"desiredBytes": 4, "capacityBytes": 3, "inForce": "180Gi",
          "usedBytes": 2, "used": "172Gi"},
        "conditions": [{"type": "Ready", "status": "False", "reason": "NodesStale",
          "message": "1 of 4 nodes", "lastTransitionTime": "2026-11-21T00:00:00Z"}]}}
      """;

  private static Cluster cluster;
  private static Kubectl kubectl;

  @BeforeAll
  static void install() {
    cluster = Cluster.shared();
    cluster.installDefinition();
    kubectl = cluster.newNamespace("crd");
  }

  /** Helm would not adopt a definition that it did not create. */
  @AfterAll
  static void leaveNoDefinition() {
    if (cluster != null) {
      cluster.removeDefinition();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LEAST,
        NODES + ", capacity: {min: 60Gi, max: 60Gi}",
        NODES + ", capacity: {min: 1.5G, max: 3000000000}",
        NODES + ", capacity: {min: 12.5%, max: 100%}",
        // Which of the two is larger depends on the node.
        NODES + ", capacity: {min: 50%, max: 1Gi}",
        LEAST + ", law: {type: Feedback, gain: 2, threshold: 0.999, interval: 1h}",
        // As a cluster stored it whose law was Feedback by default.
        LEAST + ", law: {type: Feedback, threshold: 0.95, gain: 0.5, interval: 100ms}",
        LEAST + ", law: {gain: 1, lookAhead: 0s, deadBand: 0%, settle: 0s, reserve: 0}",
        LEAST
            + ", law: {lookAhead: 60s, deadBand: 10%, settle: 10m, headStart: 1, reserve: 100%,"
            + " maxGrow: 0.5%, maxShrink: 1.5Gi, pressureLimit: 100%}",
        LEAST + ", law: {gain: 0.01, threshold: 0.01, interval: 10ms}",
        LEAST + ", law: {interval: 3s}",
        LEAST + ", law: {interval: 3s}, staleMetrics: {after: 3s}",
        LEAST + ", mode: Recommend",
        LEAST + ", mode: \"Off\"",
        LEAST + ", unpersisted: Evict, onLostControl: ShrinkOnly",
        LEAST + ", guard: {criticalUtilization: 0.98, pressureLimit: 100%}",
        LEAST + ", guard: {criticalUtilization: 1, pressureLimit: 0.5%}",
        LEAST + ", onLostControl: Fallback, guard: {fallbackCapacity: 0}",
        LEAST + ", onLostControl: Fallback, guard: {fallbackCapacity: 5%}",
        LEAST + ", memory: {total: 120Gi}, onDelete: Keep, store: {type: Custom}",
        "nodes: {selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: Exists}]}},"
            + " capacity: {max: 1Gi}",
      })
  void accepts(String spec) {
    assertThat(kubectl.apply(TIER.formatted("accepted", spec))).contains("memorytier.dynims.io");
    kubectl.run("delete", "mtier", "accepted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          capacity: {min: 61Gi, max: 60Gi} | spec.capacity.max: Invalid value: is below capacity.min
          capacity: {min: 50%, max: 25%}   | spec.capacity.max: Invalid value: is below capacity.min
          capacity: {max: 60GB}            | spec.capacity.max: Invalid value: is neither bytes, such as 60Gi, nor a percentage, such as 25%
          capacity: {max: 101%}            | spec.capacity.max: Invalid value: is neither bytes, such as 60Gi, nor a percentage, such as 25%
          capacity: {max: 1, min: -1}      | spec.capacity.min: Invalid value: is neither bytes, such as 60Gi, nor a percentage, such as 25%
          capacity: {}                     | spec.capacity.max: Required value
          capacity: {max: 1, most: 2}      | unknown field "spec.capacity.most"
          law: {gain: 0}                   | spec.law.gain: Invalid value: 0: spec.law.gain in body should be greater than 0
          law: {type: Feedback, gain: 2.1} | spec.law.gain: Invalid value: 2.1: spec.law.gain in body should be less than or equal to 2
          law: {gain: 1.5}                 | spec.law.gain: Invalid value: is not above 0 and at most 1; above it Forecast is unstable
          law: {lookAhead: 61s}            | spec.law.lookAhead: Invalid value: is not from 0s to 60s
          law: {lookAhead: soon}           | spec.law.lookAhead: Invalid value: "soon": spec.law.lookAhead in body should match
          law: {settle: 11m}               | spec.law.settle: Invalid value: is not from 0s to 10m
          law: {deadBand: 11%}             | spec.law.deadBand: Invalid value: is not a percentage from 0% to 10%
          law: {deadBand: 1Gi}             | spec.law.deadBand: Invalid value: is not a percentage from 0% to 10%
          law: {headStart: 0}              | spec.law.headStart: Invalid value: is neither bytes above 0, such as 1Gi, nor a percentage above 0%, such as 10%
          law: {headStart: far}            | spec.law.headStart: Invalid value: is neither bytes above 0
          law: {reserve: 101%}             | spec.law.reserve: Invalid value: is neither bytes, such as 1Gi, nor a percentage, such as 1%
          law: {maxGrow: 0%}               | spec.law.maxGrow: Invalid value: is neither bytes above 0
          law: {maxShrink: 0.0Gi}          | spec.law.maxShrink: Invalid value: is neither bytes above 0
          law: {pressureLimit: 0%}         | spec.law.pressureLimit: Invalid value: is not a percentage above 0% and at most 100%
          law: {pressureLimit: 101%}       | spec.law.pressureLimit: Invalid value: is not a percentage above 0% and at most 100%
          law: {type: Feedback, lookAhead: 1s}      | spec.law.lookAhead: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, deadBand: 1%}       | spec.law.deadBand: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, settle: 1s}         | spec.law.settle: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, headStart: 1Gi}     | spec.law.headStart: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, reserve: 1Gi}       | spec.law.reserve: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, maxGrow: 1Gi}       | spec.law.maxGrow: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, maxShrink: 1Gi}     | spec.law.maxShrink: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {type: Feedback, pressureLimit: 10%} | spec.law.pressureLimit: Invalid value: is a parameter of Forecast; spec.law.type is Feedback
          law: {threshold: 0}              | spec.law.threshold: Invalid value: 0: spec.law.threshold in body should be greater than 0
          law: {threshold: 1}              | spec.law.threshold: Invalid value: 1: spec.law.threshold in body should be less than 1
          law: {type: PID}                 | spec.law.type: Unsupported value: "PID": supported values: "Feedback", "Forecast"
          law: {interval: soon}            | spec.law.interval: Invalid value: "soon": spec.law.interval in body should match
          law: {interval: 5}               | spec.law.interval in body must be of type string: "integer"
          law: {interval: 5ms}             | spec.law.interval: Invalid value: is not from 10ms to 1h
          law: {interval: 61m}             | spec.law.interval: Invalid value: is not from 10ms to 1h
          staleMetrics: {after: 50ms}      | spec.staleMetrics.after: Invalid value: is below law.interval
          staleMetrics: {after: 1 hour}    | spec.staleMetrics.after: Invalid value: "1 hour": spec.staleMetrics.after in body should match
          memory: {total: 50%}             | spec.memory.total: Invalid value: "50%": spec.memory.total in body should match
          mode: Maybe                      | spec.mode: Unsupported value: "Maybe": supported values: "Enforce", "Off", "Recommend"
          store: {type: Hazelcast}          | spec.store.type: Unsupported value: "Hazelcast": supported values: "Alluxio", "Custom", "Memcached", "MpiIo", "Redis"
          onDelete: Forget                 | spec.onDelete: Unsupported value: "Forget": supported values: "Keep", "Release"
          unpersisted: Lose                | spec.unpersisted: Unsupported value: "Lose": supported values: "Evict", "Protect"
          onLostControl: Panic             | spec.onLostControl: Unsupported value: "Panic"
          onLostControl: Fallback          | spec.guard: Invalid value: is required with onLostControl Fallback
          guard: {fallbackCapacity: 1Gi}   | spec.guard: Invalid value: is required with onLostControl Fallback
          guard: {criticalUtilization: 0.9} | spec.guard.criticalUtilization: Invalid value: is below law.threshold
          guard: {pressureLimit: 0%}       | spec.guard.pressureLimit: Invalid value: is not a percentage above 0%
          nodes: {}                        | spec.nodes.selector: Required value
          nodes: {selector: {labels: {}}}  | unknown field "spec.nodes.selector.labels"
          """)
  void refuses(String field, String message) {
    String key = field.substring(0, field.indexOf(':'));
    String others =
        String.join(
            ", ",
            List.of(NODES, "capacity: {max: 60Gi}").stream()
                .filter(other -> !other.startsWith(key + ":"))
                .toList());

    assertThat(kubectl.applyRefused(TIER.formatted("refused", others + ", " + field)))
        .contains(message);
  }

  @Test
  void explainsThatAnUnquotedOffIsABoolean() {
    assertThat(kubectl.applyRefused(TIER.formatted("unquoted", LEAST + ", mode: Off")))
        .contains("spec.mode in body must be of type string: \"boolean\"")
        .contains("spec.mode: Unsupported value: false: supported values: \"Enforce\", \"Off\"");
    assertThat(kubectl.run("explain", "mtier.spec.mode").replaceAll("\\s+", " "))
        .contains("in quotes, because YAML reads a bare Off as false");
  }

  @Test
  void theStoreIsImmutable() {
    kubectl.apply(TIER.formatted("immutable", LEAST + ", store: {type: Custom}"));
    String message =
        "spec.store.type: Invalid value: is immutable; delete the MemoryTier and create another";

    assertThat(
            kubectl.applyRefused(TIER.formatted("immutable", LEAST + ", store: {type: Alluxio}")))
        .contains(message);
    // If omitted, it is Alluxio by default, which is also a change.
    assertThat(kubectl.applyRefused(TIER.formatted("immutable", LEAST))).contains(message);
    kubectl.apply(TIER.formatted("immutable", LEAST + ", store: {type: Custom}, mode: Recommend"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                          | {"type": "Forecast", "threshold": 0.95, "interval": "100ms"}
          {"gain": 1}                 | {"type": "Forecast", "threshold": 0.95, "gain": 1, "interval": "100ms"}
          {"settle": "1s"}            | {"type": "Forecast", "threshold": 0.95, "settle": "1s", "interval": "100ms"}
          {"type": "Feedback"}        | {"type": "Feedback", "threshold": 0.95, "interval": "100ms"}
          """)
  void setsDefaults(String given, String law) {
    kubectl.apply(TIER.formatted("least", LEAST + ", law: " + given));

    assertThat(kubectl.get("mtier", "least").path("spec"))
        .isEqualTo(
            Kubectl.json(
                """
                {"mode": "Recommend", "store": {"type": "Alluxio"}, "nodes": {"selector": {}},
                 "capacity": {"min": 0, "max": "60Gi"}, "onDelete": "Release",
                 "unpersisted": "Protect", "onLostControl": "Follow",
                 "law": %s}
                """
                    .formatted(law)));
    kubectl.run("delete", "mtier", "least");
  }

  @Test
  void withoutALawItIsForecast() {
    kubectl.apply(TIER.formatted("lawless", LEAST));

    assertThat(kubectl.get("mtier", "lawless").at("/spec/law"))
        .isEqualTo(
            Kubectl.json(
                """
                {"type": "Forecast", "threshold": 0.95, "interval": "100ms"}
                """));
  }

  @Test
  void aPatchMovesAStoredFeedbackToForecast() {
    kubectl.apply(
        TIER.formatted("moved", LEAST + ", law: {type: Feedback, threshold: 0.9, gain: 0.5}"));
    kubectl.patch("mtier", "moved", "{\"spec\":{\"law\":{\"type\":\"Forecast\",\"gain\":null}}}");

    assertThat(kubectl.get("mtier", "moved").at("/spec/law"))
        .isEqualTo(
            Kubectl.json(
                """
                {"type": "Forecast", "threshold": 0.9, "interval": "100ms"}
                """));
  }

  /** The definition of the version before is the one with which the chart's tests compare. */
  @Test
  void anUpgradeOfTheDefinitionKeepsWhatIsStored() {
    Path before =
        Cluster.PROJECT.resolve(
            "charts/src/test/resources/io/dynims/charts/memorytiers-before.yaml");
    kubectl.run("apply", "--filename=" + before);
    kubectl.apply(TIER.formatted("stored", LEAST));
    JsonNode stored = kubectl.get("mtier", "stored").path("spec");

    cluster.installDefinition();

    assertThat(kubectl.get("mtier", "stored").path("spec")).isEqualTo(stored);
    kubectl.patch("mtier", "stored", "{\"metadata\":{\"labels\":{\"still\":\"valid\"}}}");
    assertThat(kubectl.get("mtier", "stored").at("/metadata/labels/still").asText())
        .isEqualTo("valid");
  }

  @Test
  void showsAMemoryTierInColumns() {
    kubectl.apply(TIER.formatted("shown", LEAST));
    kubectl.patch("mtier", "shown", STATUS, "--subresource=status");

    List<String> table = kubectl.run("get", "mtier", "shown").lines().toList();
    assertThat(table.get(0).split("\\s+"))
        .containsExactly("NAME", "MODE", "NODES", "READY", "CAPACITY", "USED", "AGE");
    assertThat(table.get(1)).matches("shown +Enforce +4 +3 +180Gi +172Gi +[0-9]+s");
    assertThat(kubectl.run("get", "mtier", "shown", "--output=wide"))
        .contains("REASON")
        .contains("NodesStale");
    assertThat(kubectl.run("get", "dynims")).contains("shown");
    assertThat(kubectl.run("describe", "memorytier", "shown")).contains("1 of 4 nodes");
  }

  @Test
  void onlyTheStatusSubresourceChangesTheStatus() {
    kubectl.apply(TIER.formatted("status", LEAST));
    kubectl.patch("mtier", "status", STATUS);
    assertThat(kubectl.get("mtier", "status").has("status")).isFalse();

    kubectl.patch("mtier", "status", STATUS, "--subresource=status");
    JsonNode tier = kubectl.get("mtier", "status");
    assertThat(tier.at("/status/nodes/total").asInt()).isEqualTo(4);
    assertThat(tier.at("/metadata/generation").asInt()).isEqualTo(1);
  }

  @Test
  void explainsEveryField() {
    JsonNode schema =
        kubectl
            .get("crd", "memorytiers.dynims.io")
            .at("/spec/versions/0/schema/openAPIV3Schema/properties");
    List<String> paths = new ArrayList<>();
    for (String top : List.of("spec", "status")) {
      paths.add(top);
      collect(top, schema.path(top), paths);
    }

    assertThat(paths).contains("spec.law.gain", "spec.nodes.selector.matchExpressions.operator");
    assertThat(paths)
        .allSatisfy(
            path ->
                assertThat(kubectl.run("explain", "memorytier." + path))
                    .contains("DESCRIPTION:")
                    .doesNotContain("<empty>"));
  }

  private static void collect(String parent, JsonNode schema, List<String> paths) {
    JsonNode holder = schema.has("items") ? schema.path("items") : schema;
    for (Map.Entry<String, JsonNode> field : holder.path("properties").properties()) {
      String path = parent + "." + field.getKey();
      paths.add(path);
      collect(path, field.getValue(), paths);
    }
  }
}
