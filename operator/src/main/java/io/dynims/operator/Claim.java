package io.dynims.operator;

import io.dynims.policy.ClaimedNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes on which a MemoryTier controls its store.
 *
 * @param document the MemoryTier
 * @param nodes the nodes whose store it controls
 * @param conflicts nodes that it selects although an older MemoryTier controls the store there,
 *     with the name of that MemoryTier
 * @param unreached nodes that it selects, but that no adapter of its store is meant for; sorted
 * @param error why its selector is invalid, in which case the last valid one applies; else null
 */
record Claim(
    TierDocument document,
    List<ClaimedNode> nodes,
    Map<String, String> conflicts,
    List<String> unreached,
    String error) {

  /** Finds adapters. */
  interface Adapters {

    /** Whether the node has, or should have, an adapter of the store. */
    boolean reach(ClusterNode node, String store);

    /** The address of the store's adapter on the node, or null. */
    URI find(ClusterNode node, String store);
  }

  /**
   * Assigns every store of every node that its adapters reach to the oldest document that selects
   * the node, names the store's type and has a name of its own there; no two documents share an
   * adapter.
   *
   * @param selectors the last valid selector of each document by its UID; updated by this method
   */
  static List<Claim> of(
      Collection<TierDocument> documents,
      Collection<ClusterNode> nodes,
      Adapters adapters,
      Map<String, NodeSelector> selectors) {
    Map<String, String> owners = new HashMap<>();
    List<Claim> claims = new ArrayList<>();
    for (TierDocument document : documents.stream().sorted(TierDocument.BY_AGE).toList()) {
      String error = null;
      try {
        selectors.put(document.uid(), document.selector());
      } catch (IllegalArgumentException e) {
        error = e.getMessage();
      }
      NodeSelector selector = selectors.get(document.uid());
      claims.add(
          claim(document, selector == null ? List.of() : nodes, selector, adapters, owners, error));
    }
    return claims;
  }

  private static Claim claim(
      TierDocument document,
      Collection<ClusterNode> nodes,
      NodeSelector selector,
      Adapters adapters,
      Map<String, String> owners,
      String error) {
    List<ClaimedNode> won = new ArrayList<>();
    Map<String, String> conflicts = new TreeMap<>();
    List<String> unreached = new ArrayList<>();
    for (ClusterNode node : nodes) {
      if (!selector.matches(node.labels())) {
        continue;
      }
      if (!adapters.reach(node, document.store())) {
        unreached.add(node.name());
      } else {
        URI adapter = adapters.find(node, document.store());
        List<String> places = places(node.name(), document, adapter);
        Optional<String> owner =
            places.stream().map(owners::get).filter(Objects::nonNull).findFirst();
        if (owner.isEmpty()) {
          places.forEach(place -> owners.put(place, document.id()));
          won.add(new ClaimedNode(node.name(), adapter));
        } else {
          conflicts.put(node.name(), owner.get());
        }
      }
    }
    return new Claim(
        document, List.copyOf(won), conflicts, unreached.stream().sorted().toList(), error);
  }

  /** What the document needs for itself on a node: a store, a tier's name, and an adapter. */
  private static List<String> places(String node, TierDocument document, URI adapter) {
    List<String> places = new ArrayList<>(3);
    places.add(node + " store " + document.store());
    places.add(node + " tier " + document.name());
    if (adapter != null) {
      places.add(node + " adapter " + adapter);
    }
    return places;
  }
}
