package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.core.law.LawType;
import io.dynims.simulation.SimulationSummary;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a law made of the traces of a kind at one threshold.
 *
 * @param excessBytes by how much a trace passed M at most; 0 or less if none did
 * @param inevitableBytes the inevitable excess of that trace
 * @param ticksAboveMemory how many ticks began above M, on all traces together
 * @param aboveThresholdMillis how long more than r0 + 1 % was in use, on all traces together
 * @param evictedBytes evicted on all traces together
 * @param meanTierBytes what the tier held, averaged over the traces
 * @param misses how many traces passed M by more than a law is held to
 */
record KindOutcome(
    SyntheticTrace kind,
    LawType law,
    long excessBytes,
    long inevitableBytes,
    long ticksAboveMemory,
    long aboveThresholdMillis,
    long evictedBytes,
    long meanTierBytes,
    long misses) {

  /** Sums up traces of one kind; they are equally long. */
  static KindOutcome of(List<TraceOutcome> outcomes) {
    TraceOutcome worst =
        outcomes.stream().max(Comparator.comparingLong(TraceOutcome::excessBytes)).orElseThrow();
    return new KindOutcome(
        worst.trace().kind(),
        worst.law(),
        worst.excessBytes(),
        worst.inevitableBytes(),
        sum(outcomes, SimulationSummary::aboveMemory),
        sum(outcomes, SimulationSummary::aboveThresholdMillis),
        sum(outcomes, summary -> summary.totals().evictedBytes()),
        sum(outcomes, SimulationSummary::meanTierBytes) / outcomes.size(),
        outcomes.stream().filter(outcome -> outcome.missBytes() > 0).count());
  }

  private static long sum(List<TraceOutcome> outcomes, ToLongFunction<SimulationSummary> figure) {
    return outcomes.stream().map(TraceOutcome::summary).mapToLong(figure).sum();
  }
}
