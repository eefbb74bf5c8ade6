package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.Goal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlGoalsTest {

  private final Map<ControlLoad, Map<LawType, LoadSummary>> summaries =
      new EnumMap<>(ControlLoad.class);

  @Test
  void areMetByALawThatStaysBelowThem() {
    measured(figures(0.96, 0, 0.1, 500L, 50, 98, 90), figures(1.05, 1, 0.4, 3_000L, 100, 100, 100));

    assertThat(goals()).hasSize(10).allMatch(Goal::met);
  }

  @Test
  void areMissedByALawThatDoesAsThePapers() {
    measured(
        figures(1.05, 1, 0.4, 3_000L, 100, 50, 50), figures(1.05, 1, 0.4, 3_000L, 100, 100, 100));

    assertThat(goals()).hasSize(10).noneMatch(Goal::met);
  }

  @Test
  void whatMustNeverHappenCountsEveryRepetition() {
    RunFigures good = figures(0.96, 0, 0, 100L, 0, 0, 0);
    RunFigures bad = figures(1.001, 0.01, 0, 100L, 0, 0, 0);
    summaries.put(
        ControlLoad.HalfEmpty,
        Map.of(LawType.Forecast, new LoadSummary(good, good, bad, 3, 1, 0, 0)));

    assertThat(goals())
        .filteredOn(goal -> !goal.met())
        .singleElement()
        .satisfies(goal -> assertThat(goal.figure()).contains("half-empty: repetitions above M"));
  }

  @Test
  void areLeftOutWhereTheirLoadOrLawWasNotMeasured() {
    RunFigures any = figures(1, 1, 1, 1L, 1, 1, 1);
    summaries.put(
        ControlLoad.Ramp, Map.of(LawType.Feedback, new LoadSummary(any, any, any, 1, 0, 0, 0)));
    assertThat(goals()).isEmpty();

    summaries.put(
        ControlLoad.Noise, Map.of(LawType.Forecast, new LoadSummary(any, any, any, 1, 0, 0, 0)));
    assertThat(goals()).hasSize(1).allMatch(goal -> goal.figure().contains("settled"));
  }

  @Test
  void nothingEvictedIsBetterThanAnything() {
    RunFigures none = figures(0.95, 0, 0, null, 0, 100, 100);
    LoadSummary both = new LoadSummary(none, none, none, 1, 0, 0, 0);
    summaries.put(ControlLoad.Noise, Map.of(LawType.Feedback, both, LawType.Forecast, both));

    assertThat(goals()).hasSize(2).allMatch(Goal::met);
  }

  private List<Goal> goals() {
    return ControlGoals.of(summaries);
  }

  private void measured(RunFigures forecast, RunFigures feedback) {
    for (ControlLoad load : ControlLoad.values()) {
      summaries.put(
          load,
          Map.of(
              LawType.Forecast,
              new LoadSummary(
                  forecast, forecast, forecast, 1, forecast.exceedTotal() ? 1 : 0, 0, 0),
              LawType.Feedback,
              new LoadSummary(feedback, feedback, feedback, 1, 0, 0, 0)));
    }
  }

  private static RunFigures figures(
      double peak,
      double aboveTotal,
      double aboveThreshold,
      Long settleMillis,
      long evicted,
      long mean,
      long lowest) {
    return new RunFigures(
        peak,
        aboveTotal,
        aboveThreshold,
        settleMillis,
        evicted,
        0,
        mean,
        lowest,
        0,
        0,
        0,
        0,
        1 << 30,
        0);
  }
}
