package io.dynims.operator;

import io.dynims.core.wire.Mode;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.dynims.policy.NodePolicySpec;
import io.dynims.policy.StoreType;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;

/**
 * A MemoryTier as it stands in the API server.
 *
 * @param created when it was created, to the second
 * @param content the document as a policy file would hold it
 * @param status its status as it stands; null if it has none that can be read
 */
record TierDocument(
    String namespace,
    String name,
    String uid,
    long generation,
    Instant created,
    Map<String, Object> content,
    MemoryTierStatus status) {

  /** The older first; of the same second, by name. */
  static final Comparator<TierDocument> BY_AGE =
      Comparator.comparing(TierDocument::created).thenComparing(TierDocument::id);

  /** Its namespace and name: how people know it. */
  String id() {
    return namespace + "/" + name;
  }

  /** The nodes that it asks for. */
  NodeSelector selector() {
    return new NodeSelector(child(child(content.get("spec"), "nodes"), "selector"));
  }

  /** What holds its tiers. */
  String store() {
    Object type = child(child(content.get("spec"), "store"), "type");
    return type == null ? StoreType.Alluxio.name() : type.toString();
  }

  /** The mode that it asks for, as far as it can be read. */
  Mode mode() {
    Object mode = child(content.get("spec"), "mode");
    return mode == null ? Mode.Enforce : Mode.valueOf(mode.toString());
  }

  /** Whether its annotation pauses it. */
  boolean paused() {
    Object value =
        child(child(content.get("metadata"), "annotations"), NodePolicySpec.PAUSED_ANNOTATION);
    return "true".equals(value);
  }

  private static Object child(Object parent, String name) {
    return parent instanceof Map<?, ?> map ? map.get(name) : null;
  }
}
