package io.dynims.controller;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Forecast;
import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicySet;
import io.dynims.policy.PolicyText;
import java.net.URI;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Policy documents and targets for tests. */
public final class TestFleet {

  private TestFleet() {}

  /** A document for one node, whose tier is called {@code memory}. */
  public static String document(String node, URI adapter, String mode, String max) {
    return """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: memory}
        spec:
          mode: %s
          nodes: {list: [{name: %s, adapter: "%s"}]}
          capacity: {max: %s}
        """
        .formatted(mode, node, adapter, max);
  }

  /** A document for nodes {@code n0}, {@code n1} and so on. */
  public static String document(int nodes, URI adapter) {
    String list =
        IntStream.range(0, nodes)
            .mapToObj(i -> "{name: n%d, adapter: \"%s\"}".formatted(i, adapter))
            .collect(Collectors.joining(","));
    return """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: memory}
        spec: {mode: Enforce, nodes: {list: [%s]}, capacity: {max: 1000}}
        """
        .formatted(list);
  }

  /** The policies of several documents, each in its own file. */
  public static PolicySet policies(String... documents) {
    PolicyRegistry registry = new PolicyRegistry();
    for (int i = 0; i < documents.length; i++) {
      registry.put(i + ".yaml", PolicyText.documents(documents[i]));
    }
    return registry.read();
  }

  /** A decision of a tier whose capacity is 1,000 bytes, sampled now. */
  public static Target target(String node, long capacityBytes) {
    return target(node, capacityBytes, System.currentTimeMillis(), Limit.None);
  }

  /** A decision of a tier whose capacity is 1,000 bytes. */
  public static Target target(String node, long capacityBytes, long sampledMillis, Limit limit) {
    return target(node, 1_000, capacityBytes, sampledMillis, limit);
  }

  /** A decision of a tier with this capacity in force. */
  public static Target target(
      String node, long previousBytes, long capacityBytes, long sampledMillis, Limit limit) {
    var decision =
        new CapacityDecision(
            Action.Grow,
            capacityBytes,
            limit,
            previousBytes - capacityBytes,
            new LawInput(previousBytes, 60, 900, 1_000, sampledMillis),
            new LawParameters(0.95, 0.5, 0, 1_000),
            null,
            null);
    return Target.of(
        new TierKey(node, "memory"), decision, "for a test", sampledMillis - 70, sampledMillis + 5);
  }

  /**
   * A decision of the law {@code Forecast}, at a node whose tasks wait for memory 2 % of the time.
   */
  public static Target forecast(String node, long sampledMillis) {
    var decision =
        new CapacityDecision(
            Action.Shrink,
            80,
            Limit.None,
            20,
            new LawInput(
                100, 100, Held.of(60), Held.of(60), 38, 7, 900, 0, 1_000, 0.02, sampledMillis),
            new LawParameters(0.95, 0.75, 0, 1_000, ForecastParameters.defaults(100)),
            new Forecast(840, 870, 7, 80),
            null);
    return Target.of(
        new TierKey(node, "memory"), decision, "for a test", sampledMillis - 70, sampledMillis + 5);
  }
}
