package io.dynims.flink;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;

/** The metrics of an operator, by name and the values of its own labels. */
final class RecordedMetrics {

  private static final List<String> LABELS = List.of("<action>", "<limit>", "<reason>");

  private final Map<String, Metric> metrics = new HashMap<>();

  /** A group of a real task, whose metrics are found here. */
  final InternalOperatorMetricGroup operator =
      TaskManagerMetricGroup.createTaskManagerMetricGroup(
              TestingMetricRegistry.builder().setRegisterConsumer(this::register).build(),
              "localhost",
              ResourceID.generate())
          .addJob(new JobID(), "dynims")
          .addTask(ExecutionAttemptID.randomId(), "task")
          .getOrAddOperator("decide");

  long counter(String name) {
    return ((Counter) metrics.get(name)).getCount();
  }

  Object gauge(String name) {
    return ((Gauge<?>) metrics.get(name)).getValue();
  }

  Histogram histogram(String name) {
    return (Histogram) metrics.get(name);
  }

  private void register(Metric metric, String name, AbstractMetricGroup<?> group) {
    StringBuilder key = new StringBuilder(name);
    for (String label : LABELS) {
      if (group.getAllVariables().containsKey(label)) {
        key.append(' ').append(group.getAllVariables().get(label));
      }
    }
    metrics.put(key.toString(), metric);
  }
}
