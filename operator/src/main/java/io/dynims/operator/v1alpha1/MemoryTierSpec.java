package io.dynims.operator.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.policy.StoreType;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;

/**
 * What is wanted. The API server checks what these types say; the controller reads the document as
 * it reads a policy file, so that both say the same about it.
 */
@ValidationRule(
    value =
        "!has(self.staleMetrics) || !has(self.staleMetrics.after)"
            + " || !self.staleMetrics.after.matches('"
            + MemoryTierSpec.DURATION
            + "') || !self.law.interval.matches('"
            + MemoryTierSpec.DURATION
            + "') || duration(self.staleMetrics.after) >= duration(self.law.interval)",
    message = "is below law.interval",
    fieldPath = ".staleMetrics.after")
public record MemoryTierSpec(
    @Default("Enforce")
        @JsonPropertyDescription(
            "How far to go. Enforce: decide, and resize the tiers. Recommend: decide and show, and"
                + " leave the tiers as they are. \"Off\" (in quotes, because YAML reads a bare Off as"
                + " false): do not decide.")
        Mode mode,
    @Default("{\"type\": \"Alluxio\"}") @JsonPropertyDescription("What holds the tiers.")
        Store store,
    @Required @JsonPropertyDescription("Which nodes have the tier.") Nodes nodes,
    @Required @JsonPropertyDescription("Between what the tier's capacity may be on each node.")
        Capacity capacity,
    @Default(LAW) @JsonPropertyDescription("The law that decides the capacity.") Law law,
    @JsonPropertyDescription("What counts as the memory of each node.") Memory memory,
    @JsonPropertyDescription("What happens when a node's metrics stay away.")
        StaleMetrics staleMetrics,
    @Default("Release")
        @JsonPropertyDescription(
            "What becomes of the tiers once this resource is deleted, or a node is no longer"
                + " selected. Release: they get the capacity that the store was configured with."
                + " Keep: they stay as they are.")
        OnDelete onDelete) {

  /** The defaults of {@link Law}, once more: a default is not applied within an absent mapping. */
  private static final String LAW =
      "{\"type\": \"Feedback\", \"threshold\": 0.95, \"gain\": 0.5, \"interval\": \"100ms\"}";

  static final String DURATION = "^[0-9]{1,9}([.][0-9]{1,3})?(ms|s|m|h)$";
  private static final String BYTES = "[0-9]{1,15}([.][0-9]{1,9})?(k|M|G|T|Ki|Mi|Gi|Ti)?";
  private static final String PERCENTAGE = "(100([.]0+)?|[0-9]{1,2}([.][0-9]{1,9})?)%";

  /** What holds the tiers. */
  @ValidationRule(
      value = "self.type == oldSelf.type",
      message = "is immutable; delete the MemoryTier and create another one",
      fieldPath = ".type")
  public record Store(
      @Default("Alluxio")
          @JsonPropertyDescription(
              "Alluxio: the node's Alluxio worker, by the adapter in the agent's pod. Custom: any"
                  + " other store, by pods of its own that serve the Tier API. Cannot be changed.")
          StoreType type) {}

  /** Which nodes have the tier. */
  public record Nodes(
      @Required
          @JsonPropertyDescription(
              "The labels of the nodes; an empty selector selects every node. Where two MemoryTiers"
                  + " select a node, the older one has it.")
          LabelSelector selector) {}

  /** The bounds of the capacity. */
  @ValidationRule(
      value = "string(self.min).matches('^(" + BYTES + "|" + PERCENTAGE + ")$')",
      message = "is neither bytes, such as 60Gi, nor a percentage, such as 25%",
      fieldPath = ".min")
  @ValidationRule(
      value = "string(self.max).matches('^(" + BYTES + "|" + PERCENTAGE + ")$')",
      message = "is neither bytes, such as 60Gi, nor a percentage, such as 25%",
      fieldPath = ".max")
  @ValidationRule(
      value =
          "string(self.min).endsWith('%') || string(self.max).endsWith('%')"
              + " || !isQuantity(string(self.min)) || !isQuantity(string(self.max))"
              + " || quantity(string(self.min)).compareTo(quantity(string(self.max))) <= 0",
      message = "is below capacity.min",
      fieldPath = ".max")
  @ValidationRule(
      value =
          "!string(self.min).matches('^"
              + PERCENTAGE
              + "$')"
              + " || !string(self.max).matches('^"
              + PERCENTAGE
              + "$')"
              + " || double(string(self.min).replace('%', ''))"
              + " <= double(string(self.max).replace('%', ''))",
      message = "is below capacity.min",
      fieldPath = ".max")
  public record Capacity(
      @Default("0")
          @JsonPropertyDescription(
              "Umin: bytes, such as 2Gi, or a percentage of the node's memory, such as 5%.")
          IntOrString min,
      @Required
          @JsonPropertyDescription(
              "Umax: bytes, such as 60Gi, or a percentage of the node's memory, such as 50%. Not more"
                  + " than the store was configured with.")
          IntOrString max) {}

  /** The law that decides. */
  @ValidationRule(
      value =
          "!self.interval.matches('"
              + DURATION
              + "') || duration(self.interval) >= duration('10ms')"
              + " && duration(self.interval) <= duration('1h')",
      message = "is not from 10ms to 1h",
      fieldPath = ".interval")
  public record Law(
      @Default("Feedback")
          @JsonPropertyDescription(
              "Feedback: u[i+1] = u[i] - gain * v * (r - threshold) / threshold, where u is the"
                  + " tier's capacity, v the memory in use on the node and r its part of the whole.")
          LawType type,
      @Default("0.95")
          @Min(value = 0, inclusive = false)
          @Max(value = 1, inclusive = false)
          @JsonPropertyDescription("The memory utilization to hold each node at, between 0 and 1.")
          Double threshold,
      @Default("0.5")
          @Min(value = 0, inclusive = false)
          @Max(2)
          @JsonPropertyDescription(
              "How strongly to react, above 0 and at most 2. Near the threshold the error shrinks by"
                  + " 1 - gain an interval.")
          Double gain,
      @Default("100ms")
          @Pattern(DURATION)
          @Size(max = 16)
          @JsonPropertyDescription("The time between two decisions, from 10ms to 1h.")
          String interval) {}

  /** The memory of a node. */
  public record Memory(
      @Pattern("^" + BYTES + "$")
          @Size(max = 32)
          @JsonPropertyDescription(
              "What the jobs and the tier may use together on each node, such as 120Gi. Default: all"
                  + " memory of the node.")
          String total) {}

  /** When metrics are too old. */
  public record StaleMetrics(
      @Pattern(DURATION)
          @Size(max = 16)
          @JsonPropertyDescription(
              "From which age on metrics are not acted on; never below law.interval. Default: 2s, or"
                  + " law.interval if that is longer.")
          String after) {}
}
