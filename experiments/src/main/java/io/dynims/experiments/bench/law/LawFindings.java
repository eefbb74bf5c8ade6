package io.dynims.experiments.bench.law;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.List;
import java.util.Locale;

/** Turns JMH's results into findings. */
final class LawFindings {

  /** The results as {@code -o json} prints them. */
  record Results(Law law, Law forecast, Law decision, Codec codec) {}

  /** The cost of a law alone, or of a decision from a policy and the node's memory. */
  record Law(double nanosPerDecision, double bytesPerDecision) {
    static Law of(Cost cost) {
      return new Law(cost.nanos(), cost.bytes());
    }
  }

  record Codec(Both target, Both ack, Both policy, Decoding collectd, Cost reason) {}

  record Both(Cost encode, Cost decode) {}

  record Decoding(Cost decode) {}

  private static final double GOAL_NANOS = 50;
  private static final double FORECAST_GOAL_NANOS = 100;

  /**
   * A {@code CapacityDecision} on a 64-bit JVM with compressed pointers: a header of 12 bytes, six
   * references of 4, a long and a double of 8, rounded up to a multiple of 8.
   */
  private static final double RESULT_BYTES = 56;

  private LawFindings() {}

  /** The findings from results by class and method. */
  static Findings of(JsonNode json) {
    Cost law = cost(json, "Law", "decide");
    Cost forecast = cost(json, "Law", "decideByForecast");
    Cost decision = cost(json, "Law", "decideByPolicy");
    Codec codec =
        new Codec(
            both(json, "Target"),
            both(json, "Ack"),
            both(json, "Policy"),
            new Decoding(cost(json, "Collectd", "decode")),
            cost(json, "Codec", "writeReason"));
    return new Findings(
        "The law and the codec",
        new Results(Law.of(law), Law.of(forecast), Law.of(decision), codec),
        List.of(
            "JMH, average time of a call in one thread: one fork with the serial collector and a heap"
                + " of 256 MiB, three warm-ups and five measurements of a second each.",
            "Bytes are allocations per call, from JMH's GC profiler. The decision itself takes 56"
                + " bytes; it refers to its input and to the policy's parameters.",
            "The law gets 4,096 different inputs in turn. Messages are those of a node with 125 GB."),
        List.of(
            goal("equation 1, ns", "at most 50", law.nanos(), law.nanos() <= GOAL_NANOS),
            goal(
                "Forecast, ns",
                "at most 100",
                forecast.nanos(),
                forecast.nanos() <= FORECAST_GOAL_NANOS),
            goal(
                "bytes that equation 1 allocates beyond the decision",
                "0",
                law.bytes() - RESULT_BYTES,
                law.bytes() <= RESULT_BYTES)),
        List.of(table(law, forecast, decision, codec)),
        List.of());
  }

  private static Table table(Cost law, Cost forecast, Cost decision, Codec codec) {
    return new Table(
        "Cost of a call",
        List.of("call", "ns", "bytes"),
        List.of(
            law.row("equation 1"),
            forecast.row("Forecast"),
            decision.row("decision from policy and memory"),
            codec.reason().row("its reason as a sentence"),
            codec.collectd().decode().row("collectd sample, decode"),
            codec.target().encode().row("target, encode"),
            codec.target().decode().row("target, decode"),
            codec.ack().encode().row("ack, encode"),
            codec.ack().decode().row("ack, decode"),
            codec.policy().encode().row("policy, encode"),
            codec.policy().decode().row("policy, decode")));
  }

  private static Goal goal(String figure, String goal, double measured, boolean met) {
    return Goal.figure(figure, goal, String.format(Locale.ROOT, "%.1f", measured), met);
  }

  private static Both both(JsonNode json, String record) {
    return new Both(cost(json, "Codec", "encode" + record), cost(json, "Codec", "decode" + record));
  }

  private static Cost cost(JsonNode json, String benchmark, String call) {
    return Cost.of(json.required(benchmark).required(call));
  }
}
