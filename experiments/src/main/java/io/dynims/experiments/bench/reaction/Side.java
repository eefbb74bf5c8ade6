package io.dynims.experiments.bench.reaction;

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
 */
record Side(
    String name,
    Hops hops,
    TouchSteps touches,
    double pushMeanMillis,
    long decisions,
    boolean realTime,
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
