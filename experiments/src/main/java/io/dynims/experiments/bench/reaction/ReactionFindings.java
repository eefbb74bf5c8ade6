package io.dynims.experiments.bench.reaction;

import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import java.util.List;

/** Turns the measured reaction into findings. */
final class ReactionFindings {

  private static final double P99_GOAL_MILLIS = 20;
  private static final double RATIO_GOAL = 100;

  /** The JSON object. */
  private record Json(
      Side.Json dynims, Side.Json prototype, double ratioP99, double ratioP50, long seconds) {}

  private final StackSettings settings;
  private final ReactionOptions options;
  private final Side dynims;
  private final Side prototype;
  private final ReactionTables tables;

  ReactionFindings(StackSettings settings, ReactionOptions options, Side dynims, Side prototype) {
    this.settings = settings;
    this.options = options;
    this.dynims = dynims;
    this.prototype = prototype;
    this.tables = new ReactionTables("DynIMS", dynims, "prototype's design", prototype);
  }

  Findings findings() {
    Percentiles ours = dynims.hops().whole().millis();
    Percentiles theirs = prototype.hops().whole().millis();
    double ratioP99 = ReactionTables.ratio(theirs.p99(), ours.p99());
    return new Findings(
        "Reaction time",
        new Json(
            dynims.json(),
            prototype.json(),
            ratioP99,
            ReactionTables.ratio(theirs.p50(), ours.p50()),
            options.seconds()),
        method(),
        List.of(
            Goal.figure(
                "memory sample to capacity in force, p99",
                "at most 20 ms",
                Percentiles.text(ours.p99()) + " ms",
                ours.count() > 0 && ours.p99() <= P99_GOAL_MILLIS),
            Goal.figure(
                "p99 of the prototype's design / p99 of DynIMS",
                "at least 100",
                Percentiles.text(ratioP99),
                ratioP99 >= RATIO_GOAL),
            dynims.inForceGoal(),
            prototype.inForceGoal(),
            Side.readsGoal(dynims, prototype)),
        List.of(
            tables.sides(), tables.hops(dynims), tables.hops(prototype), tables.slowest(dynims)),
        tables.figures());
  }

  private List<String> method() {
    return List.of(
        "One node, with every part of the loop and the load on one machine; a tier of "
            + Text.bytes(settings.tierMaxBytes())
            + " in tmpfs. Each design ran under the load for "
            + options.warmUpSeconds()
            + " s before it was measured for "
            + options.seconds()
            + " s.",
        ReactionTables.scheduling(dynims, prototype),
        ReactionTables.LOAD,
        ReactionTables.SAMPLE_TO_FORCE,
        "Touch to freed: from the first touched page of a step until the tier's tmpfs has shrunk by a quarter of the"
            + " step (two blocks; one block may be evicted at any moment) and by half of it. Readers pause from 0.3 s before"
            + " the step (prototype: 4 s, so that earlier decisions have taken effect) until after it. The wait for the next"
            + " sample, up to 100 ms, is included; the law (λ = 0.5) removes half of a step at once.",
        "The prototype's design: the same source, law, sink and stack, but the job decides on the mean of each second"
            + " once a watermark one second behind the samples has passed it (`experiments/prototype`).",
        ReactionTables.HOPS);
  }
}
