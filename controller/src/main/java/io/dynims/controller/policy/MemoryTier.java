package io.dynims.controller.policy;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import java.net.URI;
import java.util.List;

/**
 * One document of kind {@code MemoryTier}, checked.
 *
 * @param name {@code metadata.name}: the tier's name
 * @param memoryTotalBytes what each node may use; null for its own memory
 */
record MemoryTier(
    String name,
    Mode mode,
    List<Node> nodes,
    Amount min,
    Amount max,
    LawType law,
    double threshold,
    double gain,
    long intervalMillis,
    Long memoryTotalBytes,
    long staleAfterMillis) {

  /** A node and the address of its adapter. */
  record Node(String name, URI adapter) {}
}
