package io.dynims.operator.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What is, as the leading controller last saw it; written at most every five seconds. */
public record MemoryTierStatus(
    @JsonPropertyDescription("The metadata.generation that this status is about.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "The mode in force: Enforce, Recommend, Off, or Paused by the annotation"
                + " dynims.io/paused.")
        String mode,
    @JsonPropertyDescription("How many nodes this resource has.") Nodes nodes,
    @JsonPropertyDescription("The tiers' capacity, summed over the nodes.") Capacity capacity,
    @JsonPropertyDescription(
            "Ready: every selected node does what the mode says. MetricsFresh: no node's metrics are"
                + " too old. Enforcing: capacities are pushed to the tiers.")
        List<Condition> conditions) {

  /** How many nodes. */
  public record Nodes(
      @JsonPropertyDescription("Nodes selected and not had by an older MemoryTier.") int total,
      @JsonPropertyDescription("Nodes whose tier does what the mode says.") int ready,
      @JsonPropertyDescription("Nodes whose metrics are too old to act on.") int stale) {}

  /** Sums over the nodes. */
  public record Capacity(
      @JsonPropertyDescription("What was decided last, in bytes.") long desiredBytes,
      @JsonPropertyDescription("What is in force as the adapters told, in bytes.")
          long capacityBytes,
      @JsonPropertyDescription("What the tiers' data occupies, in bytes.") long usedBytes,
      @JsonPropertyDescription("capacityBytes for people.") String inForce,
      @JsonPropertyDescription("usedBytes for people.") String used) {}
}
