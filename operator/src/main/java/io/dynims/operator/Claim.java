package io.dynims.operator;

import io.dynims.policy.ClaimedNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The nodes that a MemoryTier has.
 *
 * @param document the MemoryTier
 * @param nodes its nodes
 * @param conflicts nodes that it selects and an older MemoryTier has, with that one's name
 * @param error why its selector cannot be used, so that the last one that could is; null if it can
 */
record Claim(
    TierDocument document, List<ClaimedNode> nodes, Map<String, String> conflicts, String error) {

  /** Where the adapters are. */
  @FunctionalInterface
  interface Adapters {

    /** The address of the store's adapter on the node; null if none is known. */
    URI find(String node, String store);
  }

  /**
   * Shares the nodes out among the documents: the older document has a node that two select.
   *
   * @param selectors the last selector of each document that could be used, by its uid; kept up
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
    for (ClusterNode node : nodes) {
      if (selector.selects(node.labels())) {
        String owner = owners.putIfAbsent(node.name(), document.id());
        if (owner == null) {
          won.add(new ClaimedNode(node.name(), adapters.find(node.name(), document.store())));
        } else {
          conflicts.put(node.name(), owner);
        }
      }
    }
    return new Claim(document, List.copyOf(won), conflicts, error);
  }
}
