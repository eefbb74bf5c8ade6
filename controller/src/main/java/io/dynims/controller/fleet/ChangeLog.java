package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Logs each tier change on one line. */
final class ChangeLog {

  private static final Logger LOG = LogManager.getLogger("io.dynims.changes");

  private final Map<TierKey, LimitDebounce> limits = new HashMap<>();

  /** Logs that a tier's state differs from the one shown so far. */
  void state(Tier tier, Assessment assessment) {
    LOG.info(
        line("state", tier.key())
            .with("from", tier.shownState())
            .with("to", assessment.state())
            .with("reason", assessment.reason()));
  }

  /** Logs a changed policy, and whether the tier was paused or resumed. */
  void policy(Tier tier, Policy before, boolean pausedBefore) {
    Policy policy = tier.policy();
    if (!policy.equals(before)) {
      LOG.info(() -> LogLine.of("policy", policy));
    }
    boolean paused = tier.document().paused();
    if (paused != pausedBefore) {
      LOG.info(
          line(paused ? "paused" : "resumed", tier.key()).with("mode", tier.document().mode()));
    }
  }

  /** Logs that no document names the tier any more. */
  void withdrawn(Tier tier) {
    limits.remove(tier.key());
    LOG.info(line("withdrawn", tier.key()));
  }

  /** Logs a change of what limits the tier's decisions. */
  void decision(Target target) {
    LimitDebounce debounce = limits.computeIfAbsent(target.key(), key -> new LimitDebounce());
    Limit before = debounce.settled();
    if (debounce.record(target)) {
      LOG.info(
          line("limit", target.key())
              .with("from", before)
              .with("to", debounce.settled())
              .with("desiredBytes", target.desiredBytes())
              .with("utilization", target.utilization()));
    }
  }

  private static LogLine line(String event, TierKey key) {
    return LogLine.of(event).with("node", key.node()).with("tier", key.tier());
  }
}
