package io.dynims.experiments.demo;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The MemoryTier document of one tier of a node, in a folder that the controller reads.
 *
 * @param store as in {@code spec.store.type}
 */
record TierDocument(
    String tier,
    String store,
    String node,
    String adapter,
    long maxBytes,
    double threshold,
    int weight) {

  /** Writes it, without a budget. */
  void write(Path policies) throws IOException {
    write(policies, "");
  }

  /** Writes it. */
  void write(Path policies, long budgetBytes) throws IOException {
    write(policies, "  memory: {total: " + budgetBytes + "}\n");
  }

  private void write(Path policies, String memory) throws IOException {
    PolicyFile.replace(
        policies.resolve(tier + ".yaml"),
        """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: %s}
        spec:
          mode: Enforce
          store: {type: %s}
          nodes: {list: [{name: %s, adapter: "%s"}]}
          capacity: {min: 32Mi, max: %d}
          law: {threshold: %s}
          share: {weight: %d}
        """
                .formatted(tier, store, node, adapter, maxBytes, threshold, weight)
            + memory);
  }
}
