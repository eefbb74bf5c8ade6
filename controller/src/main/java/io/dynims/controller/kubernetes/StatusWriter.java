package io.dynims.controller.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.controller.kubernetes.v1alpha1.MemoryTier;
import io.dynims.controller.kubernetes.v1alpha1.MemoryTierStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Writes statuses: at most every five seconds for one resource, and only when it is another than
 * the last one. For use by one thread; waits for the API server.
 */
final class StatusWriter {

  private static final long INTERVAL_NANOS = 5_000_000_000L;
  private static final ObjectMapper JSON = new ObjectMapper();

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
        .resources(MemoryTier.class)
        .inNamespace(document.namespace())
        .withName(document.name())
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), body(status));
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

  private static String body(MemoryTierStatus status) {
    try {
      return JSON.writeValueAsString(Map.of("status", status));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a status is always JSON", e);
    }
  }
}
