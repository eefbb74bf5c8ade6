package io.dynims.experiments.bench.reaction;

import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurements of one design.
 *
 * @param touches the results of the memory steps
 * @param pushMeanMillis mean time from the controller's push to the adapter's answer
 * @param decisions the number of decisions
 * @param realTime whether the programs of the loop were scheduled in real time
 * @param readsCorrect blocks read with the correct bytes
 * @param readsWrong blocks read with wrong bytes, or not readable
 */
record Side(
    String name,
    Hops hops,
    TouchSteps touches,
    double pushMeanMillis,
    long decisions,
    boolean realTime,
    long readsCorrect,
    long readsWrong) {

  /** The JSON object. */
  record Json(
      Percentiles sampleToInForceMillis,
      Percentiles answerAgeMillis,
      Percentiles touchToFreedMillis,
      Percentiles touchToHalfFreedMillis,
      Map<String, Percentiles> hopsMillis,
      double pushMeanMillis,
      long decisions,
      long steps,
      long stepsUnanswered,
      boolean realTime,
      long readsWrong) {}

  /** Without a capacity in force nothing was measured. */
  Goal inForceGoal() {
    long count = hops.whole().millis().count();
    return Goal.mustHold(
        name + ": samples that led to a capacity in force",
        "more than 0",
        Long.toString(count),
        count > 0);
  }

  /** Both read the same data. */
  static Goal readsGoal(Side one, Side other) {
    long wrong = one.readsWrong + other.readsWrong;
    return Goal.none(
        "failed reads, or reads with a wrong byte",
        wrong,
        wrong + one.readsCorrect + other.readsCorrect);
  }

  Json json() {
    Map<String, Percentiles> millis = new LinkedHashMap<>();
    hops.parts().forEach((hop, timings) -> millis.put(hop.key(), timings.millis()));
    return new Json(
        hops.whole().millis(),
        hops.answerAge().millis(),
        touches.first().millis(),
        touches.half().millis(),
        millis,
        Math.rint(pushMeanMillis * 1e3) / 1e3,
        decisions,
        touches.steps(),
        touches.unanswered(),
        realTime,
        readsWrong);
  }
}
