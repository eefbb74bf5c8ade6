package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Tells in the log, in one line each, what became another about a tier. */
final class ChangeLog {

  /** For how long a limit must hold before it is told: a burst of less is in the history. */
  static final long HELD_MILLIS = 5_000;

  private static final Logger LOG = LogManager.getLogger("io.dynims.changes");

  /** The limit last told, and the one that may be told next. */
  static final class Limits {

    private Limit told = Limit.None;
    private Limit next = Limit.None;
    private long sinceMillis;

    /** Whether another limit than the one last told has held for long enough. */
    boolean settle(Target target) {
      // That metrics are stale is told as the tier's state.
      if (target.limitedBy() == Limit.Stale) {
        return false;
      }
      if (target.limitedBy() != next) {
        next = target.limitedBy();
        sinceMillis = target.decidedMillis();
      }
      return next != told && target.decidedMillis() - sinceMillis >= HELD_MILLIS;
    }
  }

  void state(Tier tier, Assessment verdict) {
    LOG.info(
        line("state", tier)
            .and("from", tier.shownState())
            .and("to", verdict.state())
            .and("reason", verdict.reason()));
  }

  /** Tells what differs; nothing if nothing does. */
  void policy(Tier tier, Policy before, boolean pausedBefore) {
    Policy policy = tier.policy();
    if (policy != null && !policy.equals(before)) {
      LOG.info(() -> LogLine.of("policy", policy));
    }
    boolean paused = tier.document().paused();
    if (paused != pausedBefore) {
      LOG.info(line(paused ? "paused" : "resumed", tier).and("mode", tier.document().mode()));
    }
  }

  void withdrawn(Tier tier) {
    LOG.info(line("withdrawn", tier));
  }

  void decided(Tier tier, Target target) {
    Limits limits = tier.limits();
    if (limits.settle(target)) {
      LOG.info(
          line("limit", tier)
              .and("from", limits.told)
              .and("to", limits.next)
              .and("desiredBytes", target.desiredBytes())
              .and("utilization", target.utilization()));
      limits.told = limits.next;
    }
  }

  private static LogLine line(String event, Tier tier) {
    return LogLine.of(event).and("node", tier.key().node()).and("tier", tier.key().tier());
  }
}
