package io.dynims.experiments.paper;

import io.dynims.experiments.paper.RunResult.Iteration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The results of a plan, by what they are of. */
final class PaperResults {

  private final PaperPlan plan;
  private final Map<RunSpec, RunResult> results;
  private final Optional<RunResult> loadAlone;

  PaperResults(PaperPlan plan, Map<RunSpec, RunResult> results, Optional<RunResult> loadAlone) {
    this.plan = plan;
    this.results = results;
    this.loadAlone = loadAlone;
  }

  /** The run of the load without anything beside it, if it was made. */
  Optional<RunResult> loadAlone() {
    return loadAlone;
  }

  PaperPlan plan() {
    return plan;
  }

  /** All runs. */
  Map<RunSpec, RunResult> all() {
    return results;
  }

  /** The first run of K-means on the usual data. */
  RunResult kMeans(MemorySetup setup) {
    return results.get(plan.spec(setup, DataJob.KMeans, 1));
  }

  /** The run of K-means on other data or another under store. */
  RunResult kMeans(MemorySetup setup, long dataBytes, long rate) {
    return results.get(plan.kMeans(setup, dataBytes, rate));
  }

  /** The repetitions of a job that the plan has. */
  List<RunResult> runs(MemorySetup setup, DataJob job) {
    return IntStream.rangeClosed(1, plan.repetitions(job))
        .mapToObj(repetition -> results.get(plan.spec(setup, job, repetition)))
        .filter(Objects::nonNull)
        .toList();
  }

  /** The median of the repetitions of a job. */
  double median(MemorySetup setup, DataJob job, ToDoubleFunction<RunResult> figure) {
    List<Double> values = runs(setup, job).stream().mapToDouble(figure).sorted().boxed().toList();
    return values.get(values.size() / 2);
  }

  double medianSeconds(MemorySetup setup, DataJob job) {
    return median(setup, job, PaperResults::seconds);
  }

  double medianHitRatio(MemorySetup setup, DataJob job) {
    return median(setup, job, run -> run.hitRatio(plan.scale().dataBytes()));
  }

  /** The time of all iterations of a run. */
  static double seconds(RunResult run) {
    return run.totalMillis() / 1e3;
  }

  /** The most that the load held during an iteration of a run. */
  static long mostLoadBytes(RunResult run, int index) {
    Iteration span = run.iterations().get(index);
    return run.series().stream()
        .filter(sample -> sample.millis() >= span.startMillis())
        .filter(sample -> sample.millis() <= span.startMillis() + span.millis())
        .mapToLong(RunResult.Sample::loadBytes)
        .max()
        .orElse(0);
  }
}
