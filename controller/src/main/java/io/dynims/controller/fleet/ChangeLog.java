package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.runtime.log.LogBudget;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Logs each tier change on one line. If a whole fleet changes again and again, it only counts most
 * of the changes.
 */
final class ChangeLog {

  private static final Logger LOG = LogManager.getLogger("io.dynims.changes");

  private final Map<TierKey, LimitDebounce> limits = new HashMap<>();
  private final LogBudget budget = LogBudget.ofChanges();
  private final Clock clock;

  ChangeLog(Clock clock) {
    this.clock = clock;
  }

  /** Logs that a tier's state differs from the one shown so far. */
  void state(Tier tier, Assessment assessment) {
    log(
        () ->
            line("state", tier.key())
                .with("from", tier.shownState())
                .with("to", assessment.state())
                .with("reason", assessment.reason()));
  }

  /** Logs a new problem of a tier's policy; null for none, which ends the last one. */
  void problem(Tier tier, String problem) {
    if (!Objects.equals(problem, tier.shownProblem())) {
      tier.showProblem(problem);
      String event = problem == null ? "policy-warning-ended" : "policy-warning";
      log(() -> line(event, tier.key()).with("reason", problem));
    }
  }

  /** Logs a changed policy, and whether the tier was paused or resumed. */
  void policy(Tier tier, Policy before, boolean pausedBefore) {
    Policy policy = tier.policy();
    if (!policy.equals(before)) {
      log(() -> LogLine.of("policy", policy));
    }
    boolean paused = tier.document().paused();
    if (paused != pausedBefore) {
      log(
          () ->
              line(paused ? "paused" : "resumed", tier.key()).with("mode", tier.document().mode()));
    }
  }

  /** Logs that no document names the tier any more. */
  void withdrawn(Tier tier) {
    limits.remove(tier.key());
    log(() -> line("withdrawn", tier.key()));
  }

  /** Logs a change of what limits the tier's decisions. */
  void decision(Target target) {
    LimitDebounce debounce = limits.computeIfAbsent(target.key(), key -> new LimitDebounce());
    Limit before = debounce.settled();
    if (debounce.record(target)) {
      log(
          () ->
              line("limit", target.key())
                  .with("from", before)
                  .with("to", debounce.settled())
                  .with("desiredBytes", target.desiredBytes())
                  .with("utilization", target.utilization()));
    }
  }

  /** Tells how many changes were not logged, once there is room for that. */
  void reportSuppressed() {
    long lines = budget.takeSuppressed(clock.millis());
    if (lines > 0) {
      LOG.warn(LogLine.of("suppressed").with("changes", lines));
    }
  }

  private void log(Supplier<LogLine> line) {
    if (budget.permit(clock.millis())) {
      LOG.info(line.get());
    }
  }

  private static LogLine line(String event, TierKey key) {
    return LogLine.of(event).with("node", key.node()).with("tier", key.tier());
  }
}
