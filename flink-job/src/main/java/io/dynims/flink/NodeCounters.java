package io.dynims.flink;

import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What the job counts over all nodes; in Flink's metrics under {@code dynims}. */
final class NodeCounters {

  final Counter accepted;
  final Counter decisions;
  final Counter withoutAck;
  final Counter silences;
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);

  NodeCounters(MetricGroup operator) {
    MetricGroup group = operator.addGroup("dynims");
    accepted = group.counter("readingsAccepted");
    decisions = group.counter("decisions");
    withoutAck = group.counter("decisionsWithoutAck");
    silences = group.counter("silences");
    for (Refusal refusal : Refusal.values()) {
      refused.put(refusal, group.counter("readings" + refusal.name()));
    }
  }

  void refused(Refusal refusal, int count) {
    refused.get(refusal).inc(count);
  }
}
