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
 * Writes statuses: at most every five seconds for one resource, and only when it is another than
 * the last one. For use by one thread; waits for the API server.
 */
final class StatusWriter {

  private static final long INTERVAL_NANOS = 5_000_000_000L;

  private record Written(MemoryTierStatus status, long nanos) {}

  private final KubernetesClient client;
  private final Map<String, Written> written = new HashMap<>();

  StatusWriter(KubernetesClient client) {
    this.client = client;
  }

  /** The status written last, by this replica or by the one before; null if there is none. */
  MemoryTierStatus last(TierDocument document) {
    Written last = written.get(document.uid());
    return last == null ? document.status() : last.status();
  }

  /** Whether the resource may be written again. */
  boolean due(String uid, long nowNanos) {
    Written last = written.get(uid);
    return last == null || nowNanos - last.nanos() >= INTERVAL_NANOS;
  }

  /** Writes the status if it is another than the last one; whether it did. */
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

  /** Forgets all but these resources. */
  void keep(Set<String> uids) {
    written.keySet().retainAll(uids);
  }

  /** Forgets all that it wrote: another replica may have written since. */
  void forget() {
    written.clear();
  }

  /** Names what it is about by its uid, too: one of the same name created meanwhile is another. */
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
