package io.dynims.operator;

import static java.util.concurrent.TimeUnit.SECONDS;

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
import java.util.function.LongSupplier;
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

  /** How long a node keeps its tier without a pod that has its adapter. */
  static final long FORGET_NANOS = SECONDS.toNanos(60);

  private record StoreOnNode(String node, String store) {}

  /**
   * An adapter that pods had.
   *
   * @param address the last known one; null if there never was one
   * @param goneNanos since when no pod has it; null while one does
   */
  private record KnownAdapter(URI address, Long goneNanos) {

    KnownAdapter withPod(URI newAddress) {
      return new KnownAdapter(newAddress == null ? address : newAddress, null);
    }

    KnownAdapter withoutPod(long nowNanos) {
      return goneNanos == null ? new KnownAdapter(address, nowNanos) : this;
    }

    boolean isForgotten(long nowNanos) {
      return goneNanos != null && nowNanos - goneNanos >= FORGET_NANOS;
    }
  }

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
          .or(
              () ->
                  Optional.ofNullable(adapters.get(new StoreOnNode(node.name(), store)))
                      .map(KnownAdapter::address))
          .orElse(null);
    }
  }

  /** One watch of all namespaces, or one of each namespace that is named. */
  private final List<Watched<GenericKubernetesResource, TierDocument>> tiers;

  private final Watched<Node, ClusterNode> nodes;
  private final Watched<Pod, AgentPod> agents;

  /** Kept for a while without a pod, so that a node keeps its tier while its agent restarts. */
  private final Map<StoreOnNode, KnownAdapter> adapters = new HashMap<>();

  private final Map<String, NodeSelector> selectors = new HashMap<>();
  private final LongSupplier nanoTime;

  /**
   * Starts to watch.
   *
   * @param onChange called on any thread after each relevant change
   * @param nanoTime {@link System#nanoTime}
   */
  ClusterView(
      KubernetesClient client,
      KubernetesSettings settings,
      Runnable onChange,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
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
    long now = nanoTime.getAsLong();
    Set<StoreOnNode> gone = new HashSet<>(adapters.keySet());
    for (AgentPod agent : agents.values()) {
      StoreOnNode place = new StoreOnNode(agent.node(), agent.store());
      gone.remove(place);
      adapters.put(
          place,
          adapters.getOrDefault(place, new KnownAdapter(null, null)).withPod(agent.adapter()));
    }
    gone.forEach(place -> adapters.computeIfPresent(place, (p, known) -> known.withoutPod(now)));
    adapters.values().removeIf(adapter -> adapter.isForgotten(now));
    List<TierDocument> documents =
        tiers.stream().flatMap(watched -> watched.values().stream()).toList();
    selectors
        .keySet()
        .retainAll(documents.stream().map(TierDocument::uid).collect(Collectors.toSet()));
    return Claim.of(documents, present, new Known(), selectors);
  }

  /** Whether claims may change with time alone, because a node is without the pod it had. */
  boolean isWaitingForPods() {
    return adapters.values().stream().anyMatch(adapter -> adapter.goneNanos() != null);
  }

  /**
   * The address of the adapter of each node that has one only, whether or not a MemoryTier claims
   * the node. Which of several belongs to a tier is not known without its MemoryTier.
   */
  Map<String, URI> onlyAdapters() {
    Map<String, Set<URI>> ofNode = new HashMap<>();
    adapters.forEach(
        (place, adapter) -> {
          if (adapter.address() != null) {
            ofNode.computeIfAbsent(place.node(), name -> new HashSet<>()).add(adapter.address());
          }
        });
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
