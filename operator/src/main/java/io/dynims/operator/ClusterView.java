package io.dynims.operator;

import io.dynims.operator.v1alpha1.MemoryTier;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** MemoryTiers, nodes and agents as the API server tells them. */
final class ClusterView implements AutoCloseable {

  static final ResourceDefinitionContext MEMORY_TIERS =
      new ResourceDefinitionContext.Builder()
          .withGroup(MemoryTier.GROUP)
          .withVersion(MemoryTier.VERSION)
          .withKind("MemoryTier")
          .withPlural("memorytiers")
          .withNamespaced(true)
          .build();

  private record Place(String node, String store) {}

  private final Watched<GenericKubernetesResource, TierDocument> tiers;
  private final Watched<Node, ClusterNode> nodes;
  private final Watched<Pod, AgentPod> agents;

  /** Where adapters are, or were last: a node whose agent restarts keeps its tier. */
  private final Map<Place, URI> lastKnown = new HashMap<>();

  private final Map<String, NodeSelector> lastSelectors = new HashMap<>();

  /** Starts to watch; calls back, on any thread, whenever something counts as changed. */
  ClusterView(KubernetesClient client, KubernetesSettings settings, Runnable onChange) {
    var resources = client.genericKubernetesResources(MEMORY_TIERS);
    String namespace = settings.watchNamespace();
    tiers =
        new Watched<>(
            client,
            GenericKubernetesResource.class,
            "MemoryTiers",
            (namespace.isEmpty() ? resources.inAnyNamespace() : resources.inNamespace(namespace))
                .runnableInformer(0),
            Resources::document,
            onChange);
    nodes =
        new Watched<>(
            client,
            Node.class,
            "Nodes",
            client.nodes().runnableInformer(0),
            Resources::node,
            onChange);
    agents =
        new Watched<>(
            client,
            Pod.class,
            "Pods",
            client
                .pods()
                .inNamespace(settings.namespace())
                .withLabelSelector(settings.agentsSelector())
                .runnableInformer(0),
            Resources::agent,
            onChange);
  }

  /** What was not listed even once, and why; empty once everything was. */
  List<String> missing() {
    return Stream.of(tiers.failure(), nodes.failure(), agents.failure())
        .filter(failure -> !failure.isEmpty())
        .toList();
  }

  /** Which MemoryTier has which nodes now; for one thread. */
  List<Claim> claims() {
    Collection<ClusterNode> present = nodes.values();
    Map<String, ClusterNode> byName =
        present.stream().collect(Collectors.toMap(ClusterNode::name, node -> node));
    lastKnown.keySet().removeIf(place -> !byName.containsKey(place.node()));
    for (AgentPod agent : agents.values()) {
      lastKnown.put(new Place(agent.node(), agent.store()), agent.adapter());
    }
    Collection<TierDocument> documents = tiers.values();
    lastSelectors
        .keySet()
        .retainAll(documents.stream().map(TierDocument::uid).collect(Collectors.toSet()));
    return Claim.of(
        documents,
        present,
        (node, store) ->
            Optional.ofNullable(byName.get(node).adapter())
                .orElseGet(() -> lastKnown.get(new Place(node, store))),
        lastSelectors);
  }

  /** The addresses of any adapter on each node, whether or not a MemoryTier claims it. */
  Map<String, URI> adapters() {
    Map<String, URI> adapters = new HashMap<>();
    lastKnown.forEach((place, address) -> adapters.put(place.node(), address));
    nodes.values().stream()
        .filter(node -> node.adapter() != null)
        .forEach(node -> adapters.put(node.name(), node.adapter()));
    return Map.copyOf(adapters);
  }

  @Override
  public void close() {
    tiers.close();
    nodes.close();
    agents.close();
  }
}
