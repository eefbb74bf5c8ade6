package io.dynims.operator;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.dynims.policy.ClaimedNode;
import io.dynims.policy.PolicyText;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a cluster may hold, for tests. */
final class TestCluster {

  static final Instant CREATED = Instant.parse("2026-11-21T12:00:00Z");
  static final URI ADAPTER = URI.create("http://127.0.0.1:7070");

  private static final String CONTENT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: %s}
      spec:
        nodes: {selector: %s}
        capacity: {max: 1Gi}
      """;

  private TestCluster() {}

  /** A MemoryTier of the namespace {@code default} whose uid is its name. */
  static TierDocument document(String name, Instant created, String selector) {
    return document("default", name, created, CONTENT.formatted(name, selector), null);
  }

  static TierDocument document(
      String namespace, String name, Instant created, String content, MemoryTierStatus status) {
    @SuppressWarnings("unchecked")
    var values = (Map<String, Object>) PolicyText.documents(content).get(0);
    return new TierDocument(namespace, name, name, 3, created, values, status);
  }

  /** The same with a status, as if another replica had written it. */
  static TierDocument with(TierDocument document, MemoryTierStatus status) {
    return new TierDocument(
        document.namespace(),
        document.name(),
        document.uid(),
        document.generation(),
        document.created(),
        document.content(),
        status);
  }

  /** The claim of a document on nodes that all have an adapter. */
  static Claim claim(TierDocument document, String... nodes) {
    return new Claim(
        document,
        Stream.of(nodes).map(node -> new ClaimedNode(node, ADAPTER)).toList(),
        Map.of(),
        List.of(),
        null);
  }

  /** A tier called {@code alluxio} of 100 bytes, 60 used, 90 desired. */
  static TierView tier(String node, TierState state, String reason) {
    return tier(node, state, false, reason, null);
  }

  /** A tier that is paused on its node only. */
  static TierView paused(String node) {
    return tier(node, TierState.Recommending, true, null, null);
  }

  private static TierView tier(
      String node, TierState state, boolean paused, String reason, Target decision) {
    return new TierView(
        node,
        "alluxio",
        paused ? Mode.Recommend : Mode.Enforce,
        paused,
        LawType.Forecast,
        "alluxio",
        "dynims",
        state,
        reason,
        90L,
        100L,
        60L,
        0L,
        0L,
        null,
        0L,
        200L,
        800L,
        1_000L,
        0.8,
        0.95,
        1_800_000_000_000L,
        40L,
        decision);
  }

  /** A tier of which nothing is known yet. */
  static TierView unknown(String node, String reason) {
    return new TierView(
        node,
        "alluxio",
        Mode.Enforce,
        false,
        LawType.Forecast,
        "alluxio",
        "dynims",
        TierState.Pending,
        reason,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0.95,
        null,
        null,
        null);
  }

  static List<TierView> tiers(TierState state, String... nodes) {
    return Stream.of(nodes).map(node -> tier(node, state, null)).toList();
  }
}
