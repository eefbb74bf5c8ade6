package io.dynims.operator.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.OnLostControl;
import io.dynims.core.wire.Unpersisted;
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
 * The desired state. The API server validates resources against these types. The controller reads
 * them with the same code as policy files, so that both accept the same documents.
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
@ValidationRule(
    value =
        "(self.onLostControl == 'Fallback') == (has(self.guard)"
            + " && has(self.guard.fallbackCapacity))",
    message = "is required with onLostControl Fallback, and belongs to nothing else",
    fieldPath = ".guard")
@ValidationRule(
    value =
        "!has(self.guard) || !has(self.guard.criticalUtilization)"
            + " || self.guard.criticalUtilization >= self.law.threshold",
    message = "is below law.threshold",
    fieldPath = ".guard.criticalUtilization")
public record MemoryTierSpec(
    @Default("Recommend")
        @JsonPropertyDescription(
            "Enforce: decide and resize the tiers. Recommend: decide and show the decisions, but do"
                + " not resize. \"Off\": do not decide (in quotes, because YAML reads a bare Off as"
                + " false).")
        Mode mode,
    @Default("{\"type\": \"Alluxio\"}")
        @JsonPropertyDescription("The store that contains the tiers.")
        Store store,
    @Required @JsonPropertyDescription("The nodes with the tier.") Nodes nodes,
    @Required @JsonPropertyDescription("Bounds of the tier's capacity on each node.")
        Capacity capacity,
    @Default(LAW) @JsonPropertyDescription("The control law that decides the capacity.")
        LawSpec law,
    @JsonPropertyDescription("The memory of each node.") Memory memory,
    @JsonPropertyDescription("What happens if a node sends no metrics.") StaleMetrics staleMetrics,
    @Default("Release")
        @JsonPropertyDescription(
            "What happens to a tier when this resource is deleted or its node is no longer selected."
                + " Release: it returns to the capacity that its store was configured with. Keep: it"
                + " keeps its capacity.")
        OnDelete onDelete,
    @Default("Protect")
        @JsonPropertyDescription(
            "What happens to data that exists in the tier and nowhere else. Protect: it is never"
                + " evicted, and the capacity does not go below it. Evict: it is evicted as any other"
                + " data, and lost.")
        Unpersisted unpersisted,
    @Default("Follow")
        @JsonPropertyDescription(
            "What the guard on a node does while no controller has the tier. Follow: it decides by"
                + " the whole law. ShrinkOnly: it follows the law where the law shrinks the tier."
                + " Keep: the tier keeps its capacity. Fallback: the tier shrinks to"
                + " guard.fallbackCapacity. In every case it brakes if the node's memory runs out.")
        OnLostControl onLostControl,
    @JsonPropertyDescription("How the guard on each node protects it.") Guard guard,
    @JsonPropertyDescription("How a node's tiers divide each step among them.") Share share) {

  /**
   * Repeats the defaults of {@link LawSpec}, because defaults do not apply within an absent object.
   */
  private static final String LAW =
      "{\"type\": \"Forecast\", \"threshold\": 0.95, \"interval\": \"100ms\"}";

  static final String DURATION = "^[0-9]{1,9}([.][0-9]{1,3})?(ms|s|m|h)$";
  static final String BYTES = "[0-9]{1,15}([.][0-9]{1,9})?(k|M|G|T|Ki|Mi|Gi|Ti)?";
  static final String PERCENTAGE = "(100([.]0+)?|[0-9]{1,2}([.][0-9]{1,9})?)%";

  /** The store that contains the tiers. */
  @ValidationRule(
      value = "self.type == oldSelf.type",
      message = "is immutable; delete the MemoryTier and create another one",
      fieldPath = ".type")
  public record Store(
      @Default("Alluxio")
          @JsonPropertyDescription(
              "Alluxio: the node's Alluxio worker, through the adapter in the agent's pod. Redis,"
                  + " Memcached, MpiIo, Custom: another store, through pods of its own that serve the"
                  + " Tier API and have the label dynims.io/store. Immutable.")
          StoreType type) {}

  /** The nodes with the tier. */
  public record Nodes(
      @Required
          @JsonPropertyDescription(
              "Selects nodes by their labels; an empty selector matches every node. If several"
                  + " MemoryTiers with a store of the same type select a node, the oldest one"
                  + " controls it.")
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
              "Minimum capacity (Umin): bytes, such as 2Gi, or a percentage of the node's memory, such"
                  + " as 5%.")
          IntOrString min,
      @Required
          @JsonPropertyDescription(
              "Maximum capacity (Umax): bytes, such as 60Gi, or a percentage of the node's memory, such"
                  + " as 50%. At most the capacity that the store was configured with.")
          IntOrString max) {}

  /** The memory of a node. */
  public record Memory(
      @Pattern("^" + BYTES + "$")
          @Size(max = 32)
          @JsonPropertyDescription(
              "Memory that the jobs and the tier may use together on each node, such as 120Gi."
                  + " Default: all memory of the node.")
          String total) {}

  /** When metrics are too old to act on. */
  public record StaleMetrics(
      @Pattern(DURATION)
          @Size(max = 16)
          @JsonPropertyDescription(
              "Age from which metrics are not acted on; at least law.interval. Default: 2s, or"
                  + " law.interval if that is longer.")
          String after) {}

  /** How a node's tiers divide each step among them. */
  public record Share(
      @Default("1")
          @Min(value = 0, inclusive = false)
          @Max(1000)
          @JsonPropertyDescription(
              "The tier's part of a step, relative to the weights of the node's other tiers: above 0"
                  + " and at most 1000. What its bounds keep it from taking, the others take.")
          Double weight,
      @Default("false")
          @JsonPropertyDescription(
              "Whether a tier whose memory serves more reads per GiB than that of the others gives less"
                  + " and takes more than its weight's part, by up to a factor of 2. It needs the hit"
                  + " ratios of all of them.")
          Boolean byHits) {}

  /** How the guard on a node protects it. */
  @ValidationRule(
      value =
          "!has(self.pressureLimit) || self.pressureLimit.matches('^"
              + PERCENTAGE
              + "$') && double(self.pressureLimit.replace('%', '')) > 0.0",
      message = "is not a percentage above 0% and at most 100%",
      fieldPath = ".pressureLimit")
  @ValidationRule(
      value =
          "!has(self.fallbackCapacity) || string(self.fallbackCapacity).matches('^("
              + BYTES
              + "|"
              + PERCENTAGE
              + ")$')",
      message = "is neither bytes, such as 1Gi, nor a percentage, such as 5%",
      fieldPath = ".fallbackCapacity")
  public record Guard(
      @Min(value = 0, inclusive = false)
          @Max(1)
          @JsonPropertyDescription(
              "The memory utilization above which the guard shrinks the tier at once: at least"
                  + " law.threshold, and at most 1. Default: half way between law.threshold and 1.")
          Double criticalUtilization,
      @Size(max = 32)
          @JsonPropertyDescription(
              "The share of time in which tasks wait for memory, above which the guard shrinks the"
                  + " tier at law.threshold already: above 0% and at most 100%, which disables it."
                  + " Default: 10%.")
          String pressureLimit,
      @JsonPropertyDescription(
              "The capacity of onLostControl Fallback: bytes or a percentage of the node's memory.")
          IntOrString fallbackCapacity) {}
}
