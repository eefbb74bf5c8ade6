package io.dynims.experiments.bench.reaction;

import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import java.util.List;

/** What TLS on every hop costs the reaction. */
final class SecureReactionFindings {

  private static final double RATIO_GOAL = 1.3;

  /** The JSON object. */
  private record Json(
      Side.Json plain, Side.Json secure, double ratioP99, double ratioP50, long seconds) {}

  private final StackSettings settings;
  private final ReactionOptions options;
  private final Side plain;
  private final Side secure;
  private final ReactionTables tables;

  SecureReactionFindings(StackSettings settings, ReactionOptions options, Side plain, Side secure) {
    this.settings = settings;
    this.options = options;
    this.plain = plain;
    this.secure = secure;
    this.tables = new ReactionTables("without TLS", plain, "with TLS", secure);
  }

  Findings findings() {
    Percentiles before = plain.hops().whole().millis();
    Percentiles after = secure.hops().whole().millis();
    double ratioP99 = ReactionTables.ratio(after.p99(), before.p99());
    return new Findings(
        "Reaction time with TLS",
        new Json(
            plain.json(),
            secure.json(),
            ratioP99,
            ReactionTables.ratio(after.p50(), before.p50()),
            options.seconds()),
        method(),
        List.of(
            Goal.figure(
                "memory sample to capacity in force, p99 with TLS / p99 without",
                "at most 1.3",
                Percentiles.text(ratioP99),
                after.count() > 0 && ratioP99 <= RATIO_GOAL),
            plain.inForceGoal(),
            secure.inForceGoal(),
            Side.readsGoal(plain, secure)),
        List.of(tables.sides(), tables.hops(plain), tables.hops(secure), tables.slowest(secure)),
        tables.figures());
  }

  private List<String> method() {
    return List.of(
        "One node, with every part of the loop and the load on one machine; a tier of "
            + Text.bytes(settings.tierMaxBytes())
            + " in tmpfs. First without TLS, then with it, each under the load for "
            + options.warmUpSeconds()
            + " s before it was measured for "
            + options.seconds()
            + " s.",
        "With TLS (`tls.enabled`): collectd, the job and the controller speak mutual TLS with the broker, and the controller"
            + " pushes to the adapter over https. The adapter asks for a token on both sides.",
        ReactionTables.scheduling(plain, secure),
        ReactionTables.LOAD,
        ReactionTables.SAMPLE_TO_FORCE,
        ReactionTables.HOPS);
  }
}
