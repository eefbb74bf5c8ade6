package io.dynims.operator.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.dynims.core.law.LawType;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;

/**
 * The control law. What depends on the law or on the interval has no default in the schema, which
 * cannot express it; the reader of policies has it.
 */
@ValidationRule(
    value =
        "!self.interval.matches('"
            + MemoryTierSpec.DURATION
            + "') || duration(self.interval) >= duration('10ms')"
            + " && duration(self.interval) <= duration('1h')",
    message = "is not from 10ms to 1h",
    fieldPath = ".interval")
@ValidationRule(
    value = "self.type != 'Forecast' || !has(self.gain) || self.gain <= 1.0",
    message = "is not above 0 and at most 1; above it Forecast is unstable",
    fieldPath = ".gain")
@ValidationRule(
    value =
        "!has(self.lookAhead) || !self.lookAhead.matches('"
            + MemoryTierSpec.DURATION
            + "') || duration(self.lookAhead) <= duration('60s')",
    message = "is not from 0s to 60s",
    fieldPath = ".lookAhead")
@ValidationRule(
    value =
        "!has(self.settle) || !self.settle.matches('"
            + MemoryTierSpec.DURATION
            + "') || duration(self.settle) <= duration('10m')",
    message = "is not from 0s to 10m",
    fieldPath = ".settle")
@ValidationRule(
    value =
        "!has(self.deadBand) || self.deadBand.matches('^"
            + MemoryTierSpec.PERCENTAGE
            + "$') && double(self.deadBand.replace('%', '')) <= 10.0",
    message = "is not a percentage from 0% to 10%",
    fieldPath = ".deadBand")
@ValidationRule(
    value =
        "!has(self.pressureLimit) || self.pressureLimit.matches('^"
            + MemoryTierSpec.PERCENTAGE
            + "$') && double(self.pressureLimit.replace('%', '')) > 0.0",
    message = "is not a percentage above 0% and at most 100%",
    fieldPath = ".pressureLimit")
@ValidationRule(
    value = "!has(self.headStart) || [string(self.headStart)]" + LawSpec.ABOVE_ZERO,
    message = LawSpec.NOT_ABOVE_ZERO,
    fieldPath = ".headStart")
@ValidationRule(
    value =
        "!has(self.reserve) || string(self.reserve).matches('^("
            + MemoryTierSpec.BYTES
            + "|"
            + MemoryTierSpec.PERCENTAGE
            + ")$')",
    message = "is neither bytes, such as 1Gi, nor a percentage, such as 1%",
    fieldPath = ".reserve")
@ValidationRule(
    value = "!has(self.maxGrow) || [string(self.maxGrow)]" + LawSpec.ABOVE_ZERO,
    message = LawSpec.NOT_ABOVE_ZERO,
    fieldPath = ".maxGrow")
@ValidationRule(
    value = "!has(self.maxShrink) || [string(self.maxShrink)]" + LawSpec.ABOVE_ZERO,
    message = LawSpec.NOT_ABOVE_ZERO,
    fieldPath = ".maxShrink")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.lookAhead)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".lookAhead")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.deadBand)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".deadBand")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.settle)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".settle")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.headStart)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".headStart")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.reserve)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".reserve")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.maxGrow)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".maxGrow")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.maxShrink)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".maxShrink")
@ValidationRule(
    value = LawSpec.IS_FORECAST + "!has(self.pressureLimit)",
    message = LawSpec.NEEDS_FORECAST,
    fieldPath = ".pressureLimit")
public record LawSpec(
    @Default("Forecast")
        @JsonPropertyDescription(
            "Forecast: the tier gets what the jobs leave free, now and by the next decision."
                + " Feedback: u[i+1] = u[i] - gain * v * (r - threshold) / threshold, where u is the"
                + " tier's capacity, v the memory in use on the node, and r the memory utilization.")
        LawType type,
    @Default("0.95")
        @Min(value = 0, inclusive = false)
        @Max(value = 1, inclusive = false)
        @JsonPropertyDescription("The memory utilization to hold each node at, between 0 and 1.")
        Double threshold,
    @Min(value = 0, inclusive = false)
        @Max(2)
        @JsonPropertyDescription(
            "How strongly to react, above 0. Forecast: the part of the room that one growth takes, at"
                + " most 1; default: 0.75. Feedback: near the threshold, each interval multiplies the"
                + " error by 1 - gain; at most 2; default: 0.5.")
        Double gain,
    @Default("100ms")
        @Pattern(MemoryTierSpec.DURATION)
        @Size(max = 16)
        @JsonPropertyDescription("Time between two decisions, from 10ms to 1h.")
        String interval,
    @Pattern(MemoryTierSpec.DURATION)
        @Size(max = 16)
        @JsonPropertyDescription(
            "How far ahead the jobs' memory is forecast: the time until the next decision is in"
                + " force, from 0s to 60s. Default: 1.5 times the interval, at most 60s. Only with"
                + " Forecast.")
        String lookAhead,
    @Size(max = 32)
        @JsonPropertyDescription(
            "By how much of the node's memory the threshold may be missed before the capacity"
                + " changes, from 0% to 10%. Default: 0.5%. Only with Forecast.")
        String deadBand,
    @Pattern(MemoryTierSpec.DURATION)
        @Size(max = 16)
        @JsonPropertyDescription(
            "How long there must have been room before the capacity grows, from 0s to 10m. Default:"
                + " twice the interval, at most 10m. Only with Forecast.")
        String settle,
    @JsonPropertyDescription(
            "How far the capacity may exceed what the tier holds: bytes, such as 4Gi, or a percentage"
                + " of the node's memory; above 0. Default: 10%. Only with Forecast.")
        IntOrString headStart,
    @JsonPropertyDescription(
            "What to keep free for blocks that cannot be evicted at once, such as readers x block"
                + " size: bytes or a percentage of the node's memory. Default: 0. Only with Forecast.")
        IntOrString reserve,
    @JsonPropertyDescription(
            "The largest growth in one decision: bytes or a percentage of the node's memory, above 0."
                + " Default: 100%, which means any. Only with Forecast.")
        IntOrString maxGrow,
    @JsonPropertyDescription(
            "The largest shrink in one decision: bytes or a percentage of the node's memory, above 0."
                + " Default: 100%, which means any. Only with Forecast.")
        IntOrString maxShrink,
    @Size(max = 32)
        @JsonPropertyDescription(
            "The share of time in which tasks wait for memory, above which the capacity does not"
                + " grow: above 0% and at most 100%, which disables it. Default: 10%. Only with"
                + " Forecast.")
        String pressureLimit) {

  static final String ABOVE_ZERO =
      ".all(s, s.matches('^("
          + MemoryTierSpec.BYTES
          + "|"
          + MemoryTierSpec.PERCENTAGE
          + ")$') && s.matches('[1-9]'))";
  static final String NOT_ABOVE_ZERO =
      "is neither bytes above 0, such as 1Gi, nor a percentage above 0%, such as 10%";
  static final String IS_FORECAST = "self.type == 'Forecast' || ";
  static final String NEEDS_FORECAST = "is a parameter of Forecast; spec.law.type is Feedback";
}
