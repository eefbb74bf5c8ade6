package io.dynims.operator.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Locale;

/** The observed state, written by the leading controller at most every five seconds. */
public record MemoryTierStatus(
    @JsonPropertyDescription("The metadata.generation that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "The mode in effect: Enforce, Recommend, Off, or Paused by the annotation"
                + " dynims.io/paused.")
        String mode,
    @JsonPropertyDescription("Number of nodes.") Nodes nodes,
    @JsonPropertyDescription("The tiers' capacity, summed over the nodes.") Capacity capacity,
    @JsonPropertyDescription(
            "Ready: the tiers of all selected nodes behave as the mode requires. MetricsFresh: no"
                + " node's metrics are too old. Enforcing: capacities are pushed to the tiers."
                + " Guarded: the guard on a node decides.")
        List<Condition> conditions) {

  /** Numbers of nodes. */
  public record Nodes(
      @JsonPropertyDescription("Selected nodes that no older MemoryTier controls.") int total,
      @JsonPropertyDescription("Nodes whose tier behaves as the mode requires.") int ready,
      @JsonPropertyDescription("Nodes whose metrics are too old to act on.") int stale) {}

  /** Sums over the nodes. */
  public record Capacity(
      @JsonPropertyDescription("Capacity of the last decisions, in bytes.") long desiredBytes,
      @JsonPropertyDescription("Capacity in force, as the adapters reported it, in bytes.")
          long capacityBytes,
      @JsonPropertyDescription("Memory that the tiers' data occupies, in bytes.") long usedBytes,
      @JsonPropertyDescription("capacityBytes in human-readable form.") String inForce,
      @JsonPropertyDescription("usedBytes in human-readable form.") String used) {

    /** Sums with their forms for people. */
    public static Capacity of(long desiredBytes, long capacityBytes, long usedBytes) {
      return new Capacity(
          desiredBytes,
          capacityBytes,
          usedBytes,
          humanReadable(capacityBytes),
          humanReadable(usedBytes));
    }

    /** Formats bytes such as 54.0Gi. */
    public static String humanReadable(long bytes) {
      String[] units = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
      double scaled = bytes;
      int unit = 0;
      while (scaled >= 1024 && unit < units.length - 1) {
        scaled /= 1024;
        unit++;
      }
      return unit == 0
          ? Long.toString(bytes)
          : String.format(Locale.ROOT, "%.1f%s", scaled, units[unit]);
    }
  }
}
