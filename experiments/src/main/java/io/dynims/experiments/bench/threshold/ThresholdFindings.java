package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.cli.stack.Text;
import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Turns safe thresholds, and outcomes at the common one, into findings. */
final class ThresholdFindings {

  /**
   * The results as {@code -o json} prints them.
   *
   * @param headline the difference between the laws in a sentence
   * @param neverAboveMemory the greatest thresholds at which no trace passes M, for each kind of
   *     traces and for all
   * @param commonThreshold r0 of {@code kinds} and {@code misses}
   * @param misses the traces on which a law passes M by more than it is held to
   */
  record Results(
      int traces,
      String headline,
      List<SafeThresholds> neverAboveMemory,
      double commonThreshold,
      List<KindOutcome> kinds,
      List<Miss> misses) {}

  /** By how much a law passes M on a trace beyond what it is held to. */
  record Miss(SyntheticTrace kind, long seed, LawType law, long bytes) {}

  private static final String COMMON = "r0 = " + ThresholdBench.COMMON_THRESHOLD;

  private ThresholdFindings() {}

  /**
   * The findings.
   *
   * @param safe of each kind, and last of all traces
   * @param outcomes of all traces and laws at the common threshold
   */
  static Findings of(List<SafeThresholds> safe, List<TraceOutcome> outcomes) {
    int traces = safe.get(safe.size() - 1).traces();
    String headline = headline(safe);
    List<KindOutcome> kinds = kinds(outcomes);
    return new Findings(
        "Choosing the threshold",
        new Results(
            traces, headline, safe, ThresholdBench.COMMON_THRESHOLD, kinds, misses(outcomes)),
        method(traces),
        goals(outcomes),
        List.of(neverAboveMemory(headline, safe), atCommonThreshold(kinds)),
        List.of());
  }

  private static List<String> method(int traces) {
    return List.of(
        "Simulated: "
            + traces
            + " traces, the shipped ones and further seeds of each kind; a node of 125 GB, a tier"
            + " of at most 60 GB that frees 5 GiB/s and fills 2 GiB/s, one tick of delay."
            + " Deterministic.",
        "Never above M: the greatest r0, in steps of 0.001, at which no trace ever passes M, nor at"
            + " the ten thresholds below.",
        "Inevitable: what passes M with an ideal law without foresight, which uses all memory up to"
            + " r0 and, one tick after a sample, frees at the full rate. A law that passes M by less"
            + " left memory unused before. It is that of the trace with the greatest use above M.",
        "Misses: traces that pass M by more than 1.1 times the inevitable, and 0.1 % of M for the"
            + " grid of samples.",
        "Ticks, seconds and evictions are sums over the traces of a kind.");
  }

  /** The gain of Forecast over Feedback, kind by kind and on all traces. */
  static String headline(List<SafeThresholds> safe) {
    SafeThresholds all = safe.get(safe.size() - 1);
    List<SafeThresholds> kinds =
        safe.subList(0, safe.size() - 1).stream()
            .sorted(Comparator.comparingDouble(SafeThresholds::gainPercent))
            .toList();
    SafeThresholds least = kinds.get(0);
    SafeThresholds most = kinds.get(kinds.size() - 1);
    String limiting =
        kinds.stream()
            .filter(limits(all))
            .map(SafeThresholds::name)
            .collect(Collectors.joining(" and "));
    return "Forecast's tier holds "
        + lessOrMore(least.gainPercent())
        + (" (" + least.name() + ") to ")
        + lessOrMore(most.gainPercent())
        + (" (" + most.name() + ") than Feedback's if each kind of traces has its own r0, and ")
        + lessOrMore(all.gainPercent())
        + " with one r0 for all"
        + (limiting.isEmpty() ? "" : ", which " + limiting + " sets for both laws alike");
  }

  private static String lessOrMore(double percent) {
    return String.format(
        Locale.ROOT, "%.1f %% %s", Math.abs(percent), percent < 0 ? "less" : "more");
  }

  /** Whether a kind alone requires the threshold that all traces require, whatever the law. */
  private static Predicate<SafeThresholds> limits(SafeThresholds all) {
    return kind ->
        all.laws().stream().allMatch(law -> kind.of(law.law()).threshold() == law.threshold());
  }

  private static Table neverAboveMemory(String headline, List<SafeThresholds> safe) {
    List<String> head = new ArrayList<>(List.of("traces", "number"));
    safe.get(0).laws().forEach(law -> head.addAll(List.of(law.law() + ": r0", "tier holds, mean")));
    head.add("Forecast over Feedback");
    List<List<String>> rows = new ArrayList<>();
    for (SafeThresholds set : safe) {
      List<String> row = new ArrayList<>(List.of(set.name(), Integer.toString(set.traces())));
      set.laws()
          .forEach(
              law ->
                  row.addAll(
                      List.of(
                          String.format(Locale.ROOT, "%.3f", law.threshold()),
                          Text.bytes(law.meanTierBytes()))));
      row.add(String.format(Locale.ROOT, "%+.1f %%", set.gainPercent()));
      rows.add(row);
    }
    return new Table("Never above M: " + headline, head, rows);
  }

  private static Table atCommonThreshold(List<KindOutcome> kinds) {
    return new Table(
        "At " + COMMON,
        List.of(
            "traces",
            "law",
            "greatest use above M, GB",
            "inevitable, GB",
            "misses",
            "ticks above M",
            "above r0 + 1 %, s",
            "evicted",
            "tier holds, mean"),
        kinds.stream()
            .map(
                kind ->
                    List.of(
                        kind.kind().name(),
                        kind.law().name(),
                        gigabytes(kind.excessBytes()),
                        gigabytes(kind.inevitableBytes()),
                        Long.toString(kind.misses()),
                        Long.toString(kind.ticksAboveMemory()),
                        String.format(Locale.ROOT, "%.1f", kind.aboveThresholdMillis() / 1e3),
                        Text.bytes(kind.evictedBytes()),
                        Text.bytes(kind.meanTierBytes())))
            .toList());
  }

  /** What each law made of each kind. */
  private static List<KindOutcome> kinds(List<TraceOutcome> outcomes) {
    List<KindOutcome> kinds = new ArrayList<>();
    for (SyntheticTrace kind : SyntheticTrace.values()) {
      for (LawType law : LawType.values()) {
        kinds.add(
            KindOutcome.of(
                of(outcomes, law).stream().filter(o -> o.trace().kind() == kind).toList()));
      }
    }
    return kinds;
  }

  private static List<Miss> misses(List<TraceOutcome> outcomes) {
    return outcomes.stream()
        .filter(outcome -> outcome.missBytes() > 0)
        .map(
            outcome ->
                new Miss(
                    outcome.trace().kind(),
                    outcome.trace().seed(),
                    outcome.law(),
                    outcome.missBytes()))
        .toList();
  }

  /** What Forecast is held to. */
  static List<Goal> goals(List<TraceOutcome> outcomes) {
    List<TraceOutcome> forecast = of(outcomes, LawType.Forecast);
    List<TraceOutcome> followed =
        forecast.stream().filter(outcome -> !outcome.trace().outrunsStore()).toList();
    return List.of(
        goal(
            "traces above M, of those that never rise faster than the store frees",
            followed,
            TraceOutcome::excessBytes),
        goal(
            "traces above M by more than 1.1 times the inevitable + 0.1 % of M",
            forecast, TraceOutcome::missBytes));
  }

  /** None of the outcomes may be above 0. */
  private static Goal goal(
      String figure, List<TraceOutcome> outcomes, ToLongFunction<TraceOutcome> bytes) {
    long above = outcomes.stream().filter(outcome -> bytes.applyAsLong(outcome) > 0).count();
    String most =
        outcomes.stream()
            .max(Comparator.comparingLong(bytes))
            .filter(outcome -> bytes.applyAsLong(outcome) > 0)
            .map(o -> "; most on " + o.trace() + ", by " + gigabytes(bytes.applyAsLong(o)) + " GB")
            .orElse("");
    return Goal.mustHold(
        "Forecast at " + COMMON + ": " + figure,
        "0",
        above + " of " + outcomes.size() + most,
        above == 0);
  }

  private static List<TraceOutcome> of(List<TraceOutcome> outcomes, LawType law) {
    return outcomes.stream().filter(outcome -> outcome.law() == law).toList();
  }

  private static String gigabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f", bytes / 1e9);
  }
}
