package io.dynims.experiments.bench.control;

import io.dynims.core.wire.Ack;
import io.dynims.experiments.demo.UtilizationTrace;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a run, or of several.
 *
 * @param peakUtilization the most memory that the node used, divided by M
 * @param secondsAboveTotal how long the node used more than M
 * @param secondsAboveThreshold how long the node used more than r0 + 1 % of M
 * @param settleMillis how long the capacity took to follow a change of load, see {@link Settling};
 *     null if the load always changes
 * @param evictedBytes what the tier's data shrank by while its capacity was lowered: the sum over
 *     all acknowledgements with a lower capacity than the one before; what readers replace counts
 *     only there
 * @param filledBytes the sum of what the tier's data grew by from one acknowledgement to the next
 * @param meanUsedBytes the mean of the tier's data
 * @param lowestUsedBytes the least of the tier's data
 * @param readsCorrect blocks read with the correct bytes
 * @param readsWrong blocks read with wrong bytes, or not readable
 * @param decisions decisions of the job
 * @param acks acknowledgements of the tier
 * @param memoryTotalBytes M
 * @param otherRangeBytes how far the memory of all other programs moved, see {@link OtherMemory}
 */
record RunFigures(
    double peakUtilization,
    double secondsAboveTotal,
    double secondsAboveThreshold,
    Long settleMillis,
    long evictedBytes,
    long filledBytes,
    long meanUsedBytes,
    long lowestUsedBytes,
    long readsCorrect,
    long readsWrong,
    long decisions,
    long acks,
    long memoryTotalBytes,
    long otherRangeBytes) {

  /** Above r0 by more than this part of M counts as above. */
  static final double ABOVE = 0.01;

  /** Rounds ratios and seconds to the resolution of the measurement. */
  RunFigures {
    peakUtilization = Math.rint(peakUtilization * 1e4) / 1e4;
    secondsAboveTotal = Math.rint(secondsAboveTotal * 1e3) / 1e3;
    secondsAboveThreshold = Math.rint(secondsAboveThreshold * 1e3) / 1e3;
  }

  /** Whether the node used more than M, by more than what other programs may have taken of it. */
  boolean exceedTotal() {
    return (peakUtilization - 1) * memoryTotalBytes > otherRangeBytes;
  }

  /** The figures of a run. */
  static RunFigures of(ControlRun run) {
    long from = run.fromMillis();
    long to = run.toMillis();
    long limitBytes = (long) ((run.threshold() + ABOVE) * run.budgetBytes());
    OptionalLong settle = Settling.worstMillis(run);
    List<UtilizationTrace.Sample> tier = run.tier().between(from, to);
    List<Ack> acks = run.acks().stream().filter(a -> a.appliedMillis() >= from).toList();
    return new RunFigures(
        (double) run.node().maxUsedBytes(from, to) / run.budgetBytes(),
        run.node().overMillis(from, to, run.budgetBytes()) / 1e3,
        run.node().overMillis(from, to, limitBytes) / 1e3,
        settle.isPresent() ? settle.getAsLong() : null,
        sumOfChanges(acks, run.tier(), RunFigures::evicted),
        sumOfChanges(acks, run.tier(), (capacityBytes, usedBytes) -> Math.max(0, usedBytes)),
        (long) tier.stream().mapToLong(UtilizationTrace.Sample::usedBytes).average().orElse(0),
        tier.stream().mapToLong(UtilizationTrace.Sample::usedBytes).min().orElse(0),
        run.readsCorrect(),
        run.readsWrong(),
        run.targets().stream().filter(t -> t.sampledMillis() >= from).count(),
        acks.size(),
        run.budgetBytes(),
        OtherMemory.rangeBytes(run));
  }

  /** The median of every figure; of an even number, the upper one. */
  static RunFigures median(List<RunFigures> runs) {
    return combined(runs, values -> values[values.length / 2]);
  }

  /** The least of every figure. */
  static RunFigures least(List<RunFigures> runs) {
    return combined(runs, values -> values[0]);
  }

  /** The greatest of every figure. */
  static RunFigures greatest(List<RunFigures> runs) {
    return combined(runs, values -> values[values.length - 1]);
  }

  private static RunFigures combined(List<RunFigures> runs, ToDoubleFunction<double[]> pick) {
    Function<ToDoubleFunction<RunFigures>, Double> of =
        figure -> pick.applyAsDouble(runs.stream().mapToDouble(figure).sorted().toArray());
    boolean settles = runs.stream().map(RunFigures::settleMillis).allMatch(Objects::nonNull);
    return new RunFigures(
        of.apply(RunFigures::peakUtilization),
        of.apply(RunFigures::secondsAboveTotal),
        of.apply(RunFigures::secondsAboveThreshold),
        settles ? (Long) of.apply(RunFigures::settleMillis).longValue() : null,
        of.apply(RunFigures::evictedBytes).longValue(),
        of.apply(RunFigures::filledBytes).longValue(),
        of.apply(RunFigures::meanUsedBytes).longValue(),
        of.apply(RunFigures::lowestUsedBytes).longValue(),
        of.apply(RunFigures::readsCorrect).longValue(),
        of.apply(RunFigures::readsWrong).longValue(),
        of.apply(RunFigures::decisions).longValue(),
        of.apply(RunFigures::acks).longValue(),
        of.apply(RunFigures::memoryTotalBytes).longValue(),
        of.apply(RunFigures::otherRangeBytes).longValue());
  }

  /** What counts of a change of the tier's data, given the change of its capacity. */
  private interface Change {
    long counted(long capacityBytes, long usedBytes);
  }

  private static long evicted(long capacityBytes, long usedBytes) {
    return capacityBytes < 0 ? Math.max(0, -usedBytes) : 0;
  }

  /** What the tier held is sampled, because a tier that is not asked again has no new figure. */
  private static long sumOfChanges(List<Ack> acks, UtilizationTrace tier, Change change) {
    long sum = 0;
    for (int i = 1; i < acks.size(); i++) {
      Ack before = acks.get(i - 1);
      Ack after = acks.get(i);
      sum +=
          change.counted(
              after.capacityBytes() - before.capacityBytes(),
              tier.usedBytesFrom(after.appliedMillis())
                  - tier.usedBytesFrom(before.appliedMillis()));
    }
    return sum;
  }
}
