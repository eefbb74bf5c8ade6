package io.dynims.operator;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.Hint;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.dynims.policy.ClaimedNode;
import io.dynims.policy.StoreType;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Reduces resources of the API server to their relevant properties. */
final class Resources {

  private static final String ADAPTER_ANNOTATION = "dynims.io/adapter";
  private static final String STORE_LABEL = "dynims.io/store";

  /** A label, as the API server selects pods by labels only. */
  static final String HINT_LABEL = "dynims.io/hint";

  private static final String SCHEME_ANNOTATION = "dynims.io/adapter-scheme";
  private static final String PORT_NAME = "tier-api";
  private static final Logger LOG = LogManager.getLogger(Resources.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private Resources() {}

  /** The MemoryTier as a document; null if it is being deleted. */
  static TierDocument document(GenericKubernetesResource resource) {
    ObjectMeta metadata = resource.getMetadata();
    if (metadata.getDeletionTimestamp() != null) {
      return null;
    }
    Map<String, Object> content = new HashMap<>();
    content.put("apiVersion", resource.getApiVersion());
    content.put("kind", resource.getKind());
    content.put(
        "metadata",
        Map.of(
            "name",
            metadata.getName(),
            "namespace",
            metadata.getNamespace(),
            "annotations",
            annotations(metadata)));
    content.put("spec", resource.getAdditionalProperties().get("spec"));
    return new TierDocument(
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        metadata.getGeneration(),
        Instant.parse(metadata.getCreationTimestamp()),
        content,
        status(resource.getAdditionalProperties().get("status")));
  }

  /** The node; never null. */
  static ClusterNode node(Node node) {
    ObjectMeta metadata = node.getMetadata();
    return new ClusterNode(
        metadata.getName(),
        Map.copyOf(labels(metadata)),
        annotatedAdapters(metadata),
        isTainted(node));
  }

  /** DaemonSets tolerate the taints that Kubernetes itself adds while a node has a problem. */
  private static boolean isTainted(Node node) {
    return node.getSpec() != null
        && node.getSpec().getTaints().stream()
            .anyMatch(
                taint ->
                    !"PreferNoSchedule".equals(taint.getEffect())
                        && !taint.getKey().startsWith("node.kubernetes.io/"));
  }

  /**
   * The pod as an agent; null if it has no node or Tier API port, or has ended. On a node that is
   * lost, one that is terminating may stay so for days: it is there, and has no address.
   */
  static AgentPod agent(Pod pod) {
    String node = node(pod);
    Optional<Integer> port = port(pod);
    if (node == null || port.isEmpty() || hasEnded(pod)) {
      return null;
    }
    String address =
        pod.getStatus() == null || isTerminating(pod) ? null : pod.getStatus().getPodIP();
    String host = address == null || address.indexOf(':') < 0 ? address : "[" + address + "]";
    return new AgentPod(
        node,
        labels(pod.getMetadata()).getOrDefault(STORE_LABEL, StoreType.Alluxio.name()),
        address == null
            ? null
            : URI.create(scheme(pod.getMetadata()) + "://" + host + ":" + port.get()));
  }

  /** The pod's node; before it has one, that for which a DaemonSet has made it. */
  private static String node(Pod pod) {
    return Optional.ofNullable(pod.getSpec().getNodeName())
        .or(
            () ->
                Optional.ofNullable(pod.getSpec().getAffinity())
                    .map(Affinity::getNodeAffinity)
                    .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                    .flatMap(
                        required ->
                            required.getNodeSelectorTerms().stream()
                                .flatMap(term -> term.getMatchFields().stream())
                                .filter(field -> "metadata.name".equals(field.getKey()))
                                .flatMap(field -> field.getValues().stream())
                                .findFirst()))
        .orElse(null);
  }

  /**
   * What a pod announces by its label, from when it was assigned to a node on; null if it has no
   * node yet, is terminating, or its label is no size.
   */
  static PodHint hint(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    String node = pod.getSpec().getNodeName();
    String size = labels(metadata).get(HINT_LABEL);
    if (node == null
        || size == null
        || pod.getStatus() == null
        || isTerminating(pod)
        || hasEnded(pod)) {
      return null;
    }
    String name = metadata.getNamespace() + "/" + metadata.getName();
    try {
      long startMillis = Instant.parse(scheduled(pod)).toEpochMilli();
      Hint hint =
          new Hint(
              metadata.getUid(),
              Quantities.bytes(size),
              startMillis,
              startMillis + Hint.DEFAULT_MILLIS);
      return new PodHint(node, name, hint);
    } catch (IllegalArgumentException e) {
      LOG.warn("label {} of pod {}: {}", HINT_LABEL, name, e.getMessage());
      return null;
    }
  }

  private static String scheduled(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("PodScheduled"))
        .map(PodCondition::getLastTransitionTime)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(pod.getMetadata().getCreationTimestamp());
  }

  private static boolean isTerminating(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** An evicted pod keeps its address, which may belong to another pod by now. */
  private static boolean hasEnded(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Failed".equals(phase) || "Succeeded".equals(phase);
  }

  private static Optional<Integer> port(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .map(Container::getPorts)
        .flatMap(ports -> ports == null ? Stream.empty() : ports.stream())
        .filter(port -> PORT_NAME.equals(port.getName()))
        .map(ContainerPort::getContainerPort)
        .findFirst();
  }

  private static String scheme(ObjectMeta metadata) {
    return "https".equals(annotations(metadata).get(SCHEME_ANNOTATION)) ? "https" : "http";
  }

  private static Map<String, URI> annotatedAdapters(ObjectMeta metadata) {
    Map<String, URI> adapters = new HashMap<>();
    annotations(metadata)
        .forEach(
            (name, text) -> {
              if (name.equals(ADAPTER_ANNOTATION) || name.startsWith(ADAPTER_ANNOTATION + ".")) {
                try {
                  adapters.put(
                      name.substring(Math.min(name.length(), ADAPTER_ANNOTATION.length() + 1)),
                      ClaimedNode.address(text));
                } catch (IllegalArgumentException e) {
                  LOG.warn(
                      "annotation {} of node {}: {}", name, metadata.getName(), e.getMessage());
                }
              }
            });
    return Map.copyOf(adapters);
  }

  private static Map<String, String> labels(ObjectMeta metadata) {
    return metadata.getLabels() == null ? Map.of() : metadata.getLabels();
  }

  private static Map<String, String> annotations(ObjectMeta metadata) {
    return metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations();
  }

  private static MemoryTierStatus status(Object status) {
    try {
      return status == null ? null : JSON.convertValue(status, MemoryTierStatus.class);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
