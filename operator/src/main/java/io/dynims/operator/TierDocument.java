package io.dynims.operator;

import io.dynims.core.wire.Mode;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.dynims.policy.NodePolicySpec;
import io.dynims.policy.StoreType;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;

/**
 * A MemoryTier as stored by the API server.
 *
 * @param created when it was created, in whole seconds
 * @param content the document as in a policy file
 * @param status its current status; null if there is none or it is unreadable
 */
record TierDocument(
    String namespace,
    String name,
    String uid,
    long generation,
    Instant created,
    Map<String, Object> content,
    MemoryTierStatus status) {

  /** Oldest first; within the same second by name. */
  static final Comparator<TierDocument> BY_AGE =
      Comparator.comparing(TierDocument::created).thenComparing(TierDocument::id);

  /** Its namespace and name. */
  String id() {
    return namespace + "/" + name;
  }

  /** The selector of its nodes. */
  NodeSelector selector() {
    return new NodeSelector(child(child(content.get("spec"), "nodes"), "selector"));
  }

  /** The type of its store. */
  String store() {
    Object type = child(child(content.get("spec"), "store"), "type");
    return type == null ? StoreType.Alluxio.name() : type.toString();
  }

  /** The mode in its spec. */
  Mode mode() {
    Object mode = child(content.get("spec"), "mode");
    return mode == null ? Mode.Recommend : Mode.valueOf(mode.toString());
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
