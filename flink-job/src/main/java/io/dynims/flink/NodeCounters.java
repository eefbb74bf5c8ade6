package io.dynims.flink;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/** What the job counts over all nodes; in Flink's metrics under {@code dynims}. */
final class NodeCounters {

  /** How many of the last decisions the quantiles of the latency are about. */
  private static final int LATENCY_WINDOW = 4_096;

  private final Counter accepted;
  private final Counter withoutAck;
  private final Counter silences;
  private final Histogram sampleToDecisionMillis;
  private final Map<Action, Map<Limit, Counter>> decisions = new EnumMap<>(Action.class);
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);

  /** Written by the one thread of the function, read by the reporter's. */
  private final Set<String> silentNodes = ConcurrentHashMap.newKeySet();

  NodeCounters(MetricGroup operator) {
    MetricGroup group = operator.addGroup("dynims");
    accepted = group.counter("samplesAccepted");
    withoutAck = group.counter("decisionsWithoutAck");
    silences = group.counter("silences");
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

  /** A sample became the latest of its node, which a policy names or none does. */
  void taken(boolean claimed) {
    if (claimed) {
      accepted.inc();
    } else {
      refused(Refusal.NoPolicy, 1);
    }
  }

  void refused(Refusal refusal, int count) {
    refused.get(refusal).inc(count);
  }

  /** A tier is not decided, as it is not known what is in force. */
  void withoutAck() {
    withoutAck.inc();
  }

  /** A decision leaves the job. One that holds for want of samples is not timed. */
  void decided(Target target) {
    decisions.get(target.action()).get(target.limitedBy()).inc();
    if (target.limitedBy() != Limit.Stale) {
      sampleToDecisionMillis.update(target.decidedMillis() - target.sampledMillis());
    }
  }

  /** A node went silent. */
  void wentSilent(String node) {
    silences.inc();
    silentNodes.add(node);
  }

  /** Whether a node is silent now; may be told again. */
  void silent(String node, boolean silent) {
    if (silent) {
      silentNodes.add(node);
    } else {
      silentNodes.remove(node);
    }
  }
}
