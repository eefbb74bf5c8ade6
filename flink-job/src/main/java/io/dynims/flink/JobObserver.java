package io.dynims.flink;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.Refusal;
import io.dynims.core.loop.TierLoopState;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.runtime.log.LogBudget;
import io.dynims.runtime.log.RateLimit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs what the loops of all nodes do; in Flink's metrics under {@code dynims}. */
final class JobObserver implements LoopObserver {

  private static final Logger LOG = LoggerFactory.getLogger(JobObserver.class);

  /** The number of recent decisions that the latency quantiles cover. */
  private static final int LATENCY_WINDOW = 4_096;

  private final Counter accepted;
  private final Counter withoutAck;
  private final Counter silences;
  private final Counter failures;
  private final Histogram sampleToDecisionMillis;
  private final Map<Action, Map<Limit, Counter>> decisions = new EnumMap<>(Action.class);
  private final LogBudget budget = LogBudget.ofChanges();
  private final RateLimit slowHeartbeats = new RateLimit(60_000);
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);

  /** Written by the function's thread, read by the metrics reporter's. */
  private final Set<String> silentNodes = ConcurrentHashMap.newKeySet();

  JobObserver(MetricGroup operator) {
    MetricGroup group = operator.addGroup("dynims");
    accepted = group.counter("samplesAccepted");
    withoutAck = group.counter("decisionsWithoutAck");
    silences = group.counter("silences");
    failures = group.counter("failures");
    group.gauge("silentNodes", silentNodes::size);
    sampleToDecisionMillis =
        group.histogram(
            "sampleToDecisionMillis", new DescriptiveStatisticsHistogram(LATENCY_WINDOW));
    for (Refusal refusal : Refusal.values()) {
      refused.put(refusal, group.addGroup("reason", refusal.name()).counter("samplesDropped"));
    }
    for (Action action : Action.values()) {
      Map<Limit, Counter> byLimit = new EnumMap<>(Limit.class);
      for (Limit limit : Limit.values()) {
        byLimit.put(
            limit,
            group
                .addGroup("action", action.name())
                .addGroup("limit", limit.name())
                .counter("decisions"));
      }
      decisions.put(action, byLimit);
    }
  }

  @Override
  public void accepted() {
    accepted.inc();
  }

  @Override
  public void refused(Refusal refusal, int count) {
    refused.get(refusal).inc(count);
  }

  @Override
  public void slowHeartbeat(MemoryReading reading, long staleAfterMillis) {
    if (slowHeartbeats.permit(System.currentTimeMillis())) {
      LOG.warn(
          "{}: refused: its heartbeat is {} ms and must be shorter than spec.staleMetrics.after,"
              + " {} ms; {} more readings have been refused for this since the last line",
          reading.node(),
          reading.heartbeatMillis(),
          staleAfterMillis,
          slowHeartbeats.suppressed());
    }
  }

  @Override
  public void awaitsAck() {
    withoutAck.inc();
  }

  @Override
  public void silenceBegan(String node, String reason) {
    log("{}: {}", node, reason);
    silences.inc();
    silentNodes.add(node);
  }

  @Override
  public void silenceEnded(String node, String reason) {
    log("{}: {}", node, reason);
    silentNodes.remove(node);
  }

  @Override
  public void stillSilent(String node, boolean hasPolicy) {
    if (hasPolicy) {
      silentNodes.add(node);
    } else {
      silentNodes.remove(node);
    }
  }

  /** Counts and logs that a node's loop has failed, which is then as if it had just begun. */
  void failed(String node, RuntimeException failure) {
    failures.inc();
    silentNodes.remove(node);
    if (mayLog()) {
      LOG.error(
          "{}: the loop failed on a message; it begins anew from the policies", node, failure);
    }
  }

  /**
   * Counts a decision.
   *
   * @param onSample whether a sample led to it; only then it is timed
   */
  void decided(Target target, boolean onSample) {
    LOG.debug("{}", target);
    decisions.get(target.action()).get(target.limitedBy()).inc();
    if (onSample) {
      sampleToDecisionMillis.update(target.decidedMillis() - target.sampledMillis());
    }
  }

  /** Logs a policy that differs from the one that the loop follows. */
  void policy(Policy policy, TierLoopState known) {
    if (known == null || !policy.equals(known.policy)) {
      log("{}: {}", policy.key(), policy);
    }
  }

  void withdrawn(TierUpdate update) {
    log("{}/{}: the policy is withdrawn", update.node(), update.tier());
  }

  private void log(String format, Object first, Object second) {
    if (mayLog()) {
      LOG.info(format, first, second);
    }
  }

  private boolean mayLog() {
    long nowMillis = System.currentTimeMillis();
    long suppressed = budget.takeSuppressed(nowMillis);
    if (suppressed > 0) {
      LOG.warn("{} changes of nodes were not logged, as there were too many", suppressed);
    }
    return budget.permit(nowMillis);
  }
}
