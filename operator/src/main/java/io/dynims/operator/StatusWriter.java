package io.dynims.operator;

import io.dynims.operator.v1alpha1.MemoryTier;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes statuses that have changed, at most every five seconds per resource. Blocks until the API
 * server has answered. For use by one thread.
 */
final class StatusWriter {

  private static final long INTERVAL_NANOS = 5_000_000_000L;

  private record Written(MemoryTierStatus status, long nanos) {}

  private final KubernetesClient client;
  private final Map<String, Written> written = new HashMap<>();

  StatusWriter(KubernetesClient client) {
    this.client = client;
  }

  /** The last status, written by this replica or an earlier leader, or null. */
  MemoryTierStatus last(TierDocument document) {
    Written last = written.get(document.uid());
    return last == null ? document.status() : last.status();
  }

  /** Whether the resource's status may be written again. */
  boolean isDue(String uid, long nowNanos) {
    Written last = written.get(uid);
    return last == null || nowNanos - last.nanos() >= INTERVAL_NANOS;
  }

  /** Writes the status if it has changed; returns whether it has. */
  boolean write(TierDocument document, MemoryTierStatus status, long nowNanos) {
    if (status.equals(last(document))) {
      return false;
    }
    client
        .genericKubernetesResources(ClusterView.MEMORY_TIERS)
        .resource(body(document, status))
        .patchStatus();
    written.put(document.uid(), new Written(status, nowNanos));
    return true;
  }

  /** Forgets all other resources. */
  void retain(Set<String> uids) {
    written.keySet().retainAll(uids);
  }

  /** Forgets what it wrote, because another replica may write now. */
  void clear() {
    written.clear();
  }

  /** Includes the UID, so that a new resource of the same name does not get this status. */
  private static GenericKubernetesResource body(TierDocument document, MemoryTierStatus status) {
    var resource = new GenericKubernetesResource();
    resource.setApiVersion(HasMetadata.getApiVersion(MemoryTier.class));
    resource.setKind(HasMetadata.getKind(MemoryTier.class));
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(document.namespace())
            .withName(document.name())
            .withUid(document.uid())
            .build());
    resource.setAdditionalProperty("status", status);
    return resource;
  }
}
