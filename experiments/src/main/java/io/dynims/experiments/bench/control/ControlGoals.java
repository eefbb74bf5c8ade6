package io.dynims.experiments.bench.control;

import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The goals of {@link LawType#Forecast}, some of them relative to {@link LawType#Feedback}; those
 * whose loads and laws were measured. A goal that something never happens counts every repetition,
 * the others their median.
 */
final class ControlGoals {

  private static final double PEAK_GOAL = 0.96;
  private static final double ABOVE_SECONDS_GOAL = 0.1;
  private static final double HALF_EMPTY_PEAK_GOAL = 0.965;
  private static final double LOWEST_TIER_GOAL = 0.9;
  private static final double EVICTED_GOAL = 0.5;
  private static final double MEAN_TIER_GOAL = 0.98;
  private static final double SAWTOOTH_GOAL = 0.25;
  private static final long SETTLE_GOAL_MILLIS = 500;

  private final Map<ControlLoad, Map<LawType, LoadSummary>> summaries;
  private final List<Goal> goals = new ArrayList<>();

  private ControlGoals(Map<ControlLoad, Map<LawType, LoadSummary>> summaries) {
    this.summaries = summaries;
  }

  static List<Goal> of(Map<ControlLoad, Map<LawType, LoadSummary>> summaries) {
    ControlGoals goals = new ControlGoals(summaries);
    goals.addHalfEmpty();
    goals.addRamps();
    goals.addNoise();
    goals.addSawtooth();
    goals.addSettle();
    return List.copyOf(goals.goals);
  }

  private void addHalfEmpty() {
    LoadSummary ours = summary(ControlLoad.HalfEmpty, LawType.Forecast);
    if (ours != null) {
      addNeverAbove(ControlLoad.HalfEmpty, ours);
      addAtMost("half-empty: highest / M", HALF_EMPTY_PEAK_GOAL, ours.median().peakUtilization());
    }
  }

  private void addRamps() {
    LoadSummary ours = summary(ControlLoad.Ramp, LawType.Forecast);
    LoadSummary theirs = summary(ControlLoad.Ramp, LawType.Feedback);
    if (ours != null) {
      addAtMost("ramp: highest / M", PEAK_GOAL, ours.median().peakUtilization());
      addAtMost(
          "ramp: seconds above 0.96", ABOVE_SECONDS_GOAL, ours.median().secondsAboveThreshold());
    }
    if (ours != null && theirs != null) {
      addAtLeast(
          "ramp: least that the tier holds, of Feedback's",
          LOWEST_TIER_GOAL,
          ratio(ours, theirs, RunFigures::lowestUsedBytes));
    }
    LoadSummary ours98 = summary(ControlLoad.Ramp98, LawType.Forecast);
    if (ours98 != null) {
      addNeverAbove(ControlLoad.Ramp98, ours98);
    }
  }

  private void addNoise() {
    LoadSummary ours = summary(ControlLoad.Noise, LawType.Forecast);
    LoadSummary theirs = summary(ControlLoad.Noise, LawType.Feedback);
    if (ours != null && theirs != null) {
      addAtMost(
          "noise: evicted, of Feedback's",
          EVICTED_GOAL,
          ratio(ours, theirs, RunFigures::evictedBytes));
      addAtLeast(
          "noise: mean that the tier holds, of Feedback's",
          MEAN_TIER_GOAL,
          ratio(ours, theirs, RunFigures::meanUsedBytes));
    }
  }

  private void addSawtooth() {
    LoadSummary ours = summary(ControlLoad.Sawtooth, LawType.Forecast);
    LoadSummary theirs = summary(ControlLoad.Sawtooth, LawType.Feedback);
    if (ours != null && theirs != null) {
      addAtMost(
          "sawtooth: seconds above r0 + 1 %, of Feedback's",
          SAWTOOTH_GOAL, ratio(ours, theirs, RunFigures::secondsAboveThreshold));
    }
  }

  private void addSettle() {
    List<Long> millis =
        summaries.keySet().stream()
            .map(load -> summary(load, LawType.Forecast))
            .filter(Objects::nonNull)
            .map(summary -> summary.median().settleMillis())
            .filter(Objects::nonNull)
            .toList();
    if (!millis.isEmpty()) {
      long worst = millis.stream().mapToLong(Long::longValue).max().orElse(0);
      add(
          "settled after a change, the slowest load",
          "at most " + SETTLE_GOAL_MILLIS + " ms",
          worst + " ms",
          worst <= SETTLE_GOAL_MILLIS);
    }
  }

  private void addNeverAbove(ControlLoad load, LoadSummary ours) {
    goals.add(
        Goal.none(
            LawType.Forecast
                + ", "
                + load.key()
                + ": repetitions above M by more than other programs' memory moved",
            ours.aboveTotal(),
            ours.repetitions()));
  }

  private void addAtMost(String figure, double goal, double measured) {
    add(figure, "at most " + plain(goal), plain(measured), measured <= goal);
  }

  private void addAtLeast(String figure, double goal, double measured) {
    add(figure, "at least " + plain(goal), plain(measured), measured >= goal);
  }

  private void add(String figure, String goal, String measured, boolean met) {
    goals.add(Goal.figure(LawType.Forecast + ", " + figure, goal, measured, met));
  }

  /** The summary of a load under a law; null if it was not measured. */
  private LoadSummary summary(ControlLoad load, LawType law) {
    return summaries.getOrDefault(load, Map.of()).get(law);
  }

  /** Of two that are both 0, 0. */
  private static double ratio(
      LoadSummary ours, LoadSummary theirs, ToDoubleFunction<RunFigures> figure) {
    double dividend = figure.applyAsDouble(ours.median());
    double divisor = figure.applyAsDouble(theirs.median());
    return dividend == 0 ? 0 : dividend / divisor;
  }

  private static String plain(double value) {
    return String.format(Locale.ROOT, "%.4f", value).replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
