package io.dynims.experiments.paper;

import static io.dynims.experiments.paper.PaperFigures.text;

import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.paper.RunResult.Iteration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the paper reached, and what this system adds to it, as goals. */
final class PaperGoals {

  private static final double AGAINST_STATIC = 3.8;
  private static final double AGAINST_RDD_CACHE = 5.1;
  private static final double WHOLE_RUN = 1.15;
  private static final double OUTSIDE_BURST = 1.05;
  private static final double HIT_RATIO = 2.4;
  private static final double LOAD = 1.02;

  private final PaperResults results;

  PaperGoals(PaperResults results) {
    this.results = results;
  }

  /**
   * All goals; how fast a run is says nothing in the quick form. Whatever the machine, nothing may
   * be killed or swapped, and every result must be right.
   */
  List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    if (!results.plan().isQuick()) {
      addSpeed(goals);
    }
    goals.addAll(memory("", results.all().values()));
    goals.add(sameResults());
    return goals;
  }

  /**
   * That memory was never short.
   *
   * @param prefix of the goals' names
   */
  static List<Goal> memory(String prefix, Collection<RunResult> runs) {
    long kills = runs.stream().mapToLong(RunResult::outOfMemoryKills).sum();
    long swapped = runs.stream().mapToLong(RunResult::swappedInBytes).sum();
    return List.of(
        Goal.mustHold(prefix + "processes killed for want of memory", "0", "" + kills, kills == 0),
        Goal.mustHold(prefix + "bytes swapped in", "0", "" + swapped, swapped == 0));
  }

  private void addSpeed(List<Goal> goals) {
    double elastic = seconds(MemorySetup.Elastic);
    addAtLeast(
        goals,
        "K-means, static tier's time to the elastic one's",
        AGAINST_STATIC,
        seconds(MemorySetup.StaticTier) / elastic);
    addAtLeast(
        goals,
        "K-means, RDD cache's time to the elastic tier's",
        AGAINST_RDD_CACHE,
        seconds(MemorySetup.RddCache) / elastic);
    addAtMost(
        goals,
        "K-means, elastic tier's time to the upper bound's, whole run",
        WHOLE_RUN,
        elastic / seconds(MemorySetup.UpperBound));
    addAtMost(
        goals, "the same, iterations that HPCC does not touch", OUTSIDE_BURST, outsideBurst());
    addAtLeast(
        goals,
        "hit ratio of the elastic tier to the static one's",
        HIT_RATIO,
        results.medianHitRatio(MemorySetup.Elastic, DataJob.KMeans)
            / results.medianHitRatio(MemorySetup.StaticTier, DataJob.KMeans));
    results
        .loadAlone()
        .ifPresent(
            alone ->
                addAtMost(
                    goals,
                    "HPCC's time beside any elastic tier to its time alone, the longest",
                    LOAD,
                    longestLoadMillis() / alone.loadMillis()));
  }

  private double longestLoadMillis() {
    return results.all().entrySet().stream()
        .filter(run -> run.getKey().setup() == MemorySetup.Elastic)
        .mapToDouble(run -> run.getValue().loadMillis())
        .max()
        .orElseThrow();
  }

  private double seconds(MemorySetup setup) {
    return results.medianSeconds(setup, DataJob.KMeans);
  }

  /**
   * The second iteration after HPCC's end and later ones, and those before HPCC but the first,
   * which fills the tier.
   */
  private double outsideBurst() {
    RunResult elastic = results.kMeans(MemorySetup.Elastic);
    RunResult bound = results.kMeans(MemorySetup.UpperBound);
    double time = 0;
    double boundTime = 0;
    for (int i : untouched(elastic)) {
      time += elastic.iterations().get(i).millis();
      boundTime += bound.iterations().get(i).millis();
    }
    return time / boundTime;
  }

  private static List<Integer> untouched(RunResult run) {
    List<Iteration> iterations = run.iterations();
    int last =
        IntStream.range(0, iterations.size())
            .filter(i -> PaperResults.mostLoadBytes(run, i) > 0)
            .max()
            .orElse(0);
    return IntStream.range(1, iterations.size())
        .filter(i -> PaperResults.mostLoadBytes(run, i) == 0)
        .filter(i -> i != last + 1)
        .boxed()
        .toList();
  }

  /** Jobs that read the same data have the same result to the last digit, wherever it was. */
  private Goal sameResults() {
    var digests =
        results.all().entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    run ->
                        run.getKey().job()
                            + "/"
                            + run.getKey().dataBytes()
                            + "/"
                            + run.getKey().iterations(),
                    Collectors.mapping(run -> run.getValue().digest(), Collectors.toSet())));
    long different = digests.values().stream().filter(each -> each.size() > 1).count();
    return Goal.mustHold(
        "jobs whose result depends on where the data was", "0", "" + different, different == 0);
  }

  private static void addAtLeast(List<Goal> goals, String figure, double goal, double measured) {
    goals.add(Goal.figure(figure, "≥ " + goal, text(measured), measured >= goal));
  }

  private static void addAtMost(List<Goal> goals, String figure, double goal, double measured) {
    String shown = String.format(Locale.ROOT, "%.2f", measured);
    goals.add(Goal.figure(figure, "≤ " + goal, shown, measured <= goal));
  }
}
