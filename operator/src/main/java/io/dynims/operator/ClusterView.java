package io.dynims.operator;

import io.dynims.operator.v1alpha1.MemoryTier;
import io.dynims.policy.StoreType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The MemoryTiers, nodes and agents of the cluster, watched through the API server. */
final class ClusterView implements AutoCloseable {

  static final ResourceDefinitionContext MEMORY_TIERS =
      new ResourceDefinitionContext.Builder()
          .withGroup(MemoryTier.GROUP)
          .withVersion(MemoryTier.VERSION)
          .withKind("MemoryTier")
          .withPlural("memorytiers")
          .withNamespaced(true)
          .build();

  private record StoreOnNode(String node, String store) {}

  /** The adapters of pods, and of the annotations of nodes, which come first. */
  private final class Known implements Claim.Adapters {

    /** The agents have Alluxio's adapters; pods of other stores are only where they are needed. */
    @Override
    public boolean reach(ClusterNode node, String store) {
      return node.adapter(store) != null
          || adapters.containsKey(new StoreOnNode(node.name(), store))
          || (store.equals(StoreType.Alluxio.name()) && !node.tainted());
    }

    @Override
    public URI find(ClusterNode node, String store) {
      return Optional.ofNullable(node.adapter(store))
          .or(() -> adapters.getOrDefault(new StoreOnNode(node.name(), store), Optional.empty()))
          .orElse(null);
    }
  }

  /** One watch of all namespaces, or one of each namespace that is named. */
  private final List<Watched<GenericKubernetesResource, TierDocument>> tiers;

  private final Watched<Node, ClusterNode> nodes;
  private final Watched<Pod, AgentPod> agents;

  /**
   * The last known addresses of adapters, so that a node keeps its tier while its agent restarts;
   * empty for one that never had any.
   */
  private final Map<StoreOnNode, Optional<URI>> adapters = new HashMap<>();

  private final Map<String, NodeSelector> selectors = new HashMap<>();

  /** Starts to watch; calls back on any thread after each relevant change. */
  ClusterView(KubernetesClient client, KubernetesSettings settings, Runnable onChange) {
    var resources = client.genericKubernetesResources(MEMORY_TIERS);
    List<String> namespaces = settings.watchNamespaces();
    tiers =
        namespaces.isEmpty()
            ? List.of(
                watchTiers(
                    client,
                    "MemoryTiers",
                    resources.inAnyNamespace().runnableInformer(0),
                    onChange))
            : namespaces.stream()
                .map(
                    namespace ->
                        watchTiers(
                            client,
                            "MemoryTiers in namespace " + namespace,
                            resources.inNamespace(namespace).runnableInformer(0),
                            onChange))
                .toList();
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

  private static Watched<GenericKubernetesResource, TierDocument> watchTiers(
      KubernetesClient client,
      String plural,
      SharedIndexInformer<GenericKubernetesResource> informer,
      Runnable onChange) {
    return new Watched<>(
        client, GenericKubernetesResource.class, plural, informer, Resources::document, onChange);
  }

  /** Which resources have not been listed yet, and why; empty once all have been. */
  List<String> missing() {
    return Stream.concat(
            tiers.stream().map(Watched::failure), Stream.of(nodes.failure(), agents.failure()))
        .filter(failure -> !failure.isEmpty())
        .toList();
  }

  /** The current claims of all MemoryTiers. For use by one thread. */
  List<Claim> claims() {
    Collection<ClusterNode> present = nodes.values();
    Set<String> names = present.stream().map(ClusterNode::name).collect(Collectors.toSet());
    adapters.keySet().removeIf(place -> !names.contains(place.node()));
    for (AgentPod agent : agents.values()) {
      adapters.merge(
          new StoreOnNode(agent.node(), agent.store()),
          Optional.ofNullable(agent.adapter()),
          (before, now) -> now.or(() -> before));
    }
    List<TierDocument> documents =
        tiers.stream().flatMap(watched -> watched.values().stream()).toList();
    selectors
        .keySet()
        .retainAll(documents.stream().map(TierDocument::uid).collect(Collectors.toSet()));
    return Claim.of(documents, present, new Known(), selectors);
  }

  /**
   * The address of the adapter of each node that has one only, whether or not a MemoryTier claims
   * the node. Which of several belongs to a tier is not known without its MemoryTier.
   */
  Map<String, URI> onlyAdapters() {
    Map<String, Set<URI>> ofNode = new HashMap<>();
    adapters.forEach(
        (place, address) ->
            address.ifPresent(
                uri -> ofNode.computeIfAbsent(place.node(), name -> new HashSet<>()).add(uri)));
    for (ClusterNode node : nodes.values()) {
      if (!node.adapters().isEmpty()) {
        ofNode.put(node.name(), new HashSet<>(node.adapters().values()));
      }
    }
    return ofNode.entrySet().stream()
        .filter(entry -> entry.getValue().size() == 1)
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, entry -> entry.getValue().iterator().next()));
  }

  @Override
  public void close() {
    tiers.forEach(Watched::close);
    nodes.close();
    agents.close();
  }
}
