package io.dynims.policy;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.SharePolicy;
import io.dynims.core.wire.Unpersisted;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * One document of kind {@code MemoryTier}, checked.
 *
 * @param name {@code metadata.name}: the tier's name
 * @param namespace of the MemoryTier in a cluster; null for a policy file
 * @param paused whether it carries the annotation {@code dynims.io/paused: "true"}
 * @param pausedNodes the nodes that its annotation {@code dynims.io/paused-nodes} names; perhaps
 *     others than it has
 * @param listed how many of its nodes, counted from the first, are from {@code spec.nodes.list}
 * @param forecast the parameters of {@code Forecast}; null for any other law
 * @param memoryBudgetBytes what each node may use; null for all its memory
 * @param share how it shares steps, before the weights of the node's other tiers are known
 */
record MemoryTierDocument(
    String name,
    String namespace,
    boolean paused,
    Set<String> pausedNodes,
    Mode mode,
    List<ClaimedNode> nodes,
    int listed,
    MemorySize min,
    MemorySize max,
    LawType law,
    double threshold,
    double gain,
    ForecastParameters forecast,
    long intervalMillis,
    Long memoryBudgetBytes,
    long staleAfterMillis,
    OnDelete onDelete,
    Unpersisted unpersisted,
    GuardPolicy guard,
    SharePolicy share) {

  /**
   * The field that contradicts what another document says of the node; null if none does. A
   * document that names no memory follows the other one.
   */
  String contradicts(MemoryTierDocument other) {
    boolean sameMemory = memoryBudgetBytes == null || hasSameMemory(other);
    return hasSameLaw(other) ? (sameMemory ? null : "spec.memory.total") : "spec.law";
  }

  /** Whether another document says the same of the node: its law and its memory. */
  boolean saysSameOfTheNode(MemoryTierDocument other) {
    return hasSameLaw(other) && hasSameMemory(other);
  }

  private boolean hasSameMemory(MemoryTierDocument other) {
    return Objects.equals(memoryBudgetBytes, other.memoryBudgetBytes);
  }

  private boolean hasSameLaw(MemoryTierDocument other) {
    return law == other.law
        && threshold == other.threshold
        && gain == other.gain
        && intervalMillis == other.intervalMillis
        && Objects.equals(forecast, other.forecast);
  }

  /** The mode in force, where no single node is paused. */
  Mode modeInForce() {
    return inForce(paused);
  }

  /** The mode in force on a node: a paused tier is not pushed, but its decisions are shown. */
  Mode modeOn(String node) {
    return inForce(isPausedOn(node));
  }

  private Mode inForce(boolean isPaused) {
    return isPaused && mode == Mode.Enforce ? Mode.Recommend : mode;
  }

  /** Whether an annotation pauses the tier of a node. */
  boolean isPausedOn(String node) {
    return paused || pausedNodes.contains(node);
  }

  /** Whether another document says the same, but for which nodes it has and pauses one by one. */
  @SuppressWarnings("ReferenceEquality") // Most often it is the same one, for thousands of nodes.
  boolean isSameForEachNode(MemoryTierDocument other) {
    return this == other || of(List.of(), Set.of()).equals(other.of(List.of(), Set.of()));
  }

  /** The same document for other nodes. */
  MemoryTierDocument on(List<ClaimedNode> newNodes) {
    return of(newNodes, pausedNodes);
  }

  private MemoryTierDocument of(List<ClaimedNode> newNodes, Set<String> newPausedNodes) {
    return new MemoryTierDocument(
        name,
        namespace,
        paused,
        newPausedNodes,
        mode,
        newNodes,
        newNodes.size(),
        min,
        max,
        law,
        threshold,
        gain,
        forecast,
        intervalMillis,
        memoryBudgetBytes,
        staleAfterMillis,
        onDelete,
        unpersisted,
        guard,
        share);
  }
}
