package io.dynims.flink;

import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The streaming job's graph: every node's metrics in, its tiers' targets out. */
final class JobGraph {

  static final String NAME = "dynims";

  private JobGraph() {}

  /** Adds the job to the environment. */
  static void build(
      StreamExecutionEnvironment env,
      KafkaSourcesAndSink kafka,
      UnaryOperator<DataStream<MemoryReading>> step) {
    DataStream<MemoryReading> readings = step.apply(read(env, kafka.metrics(), "metrics"));
    DataStream<TierUpdate> policies = read(env, kafka.policies(), "policies");
    DataStream<TierUpdate> acks = read(env, kafka.acks(), "acks");

    DataStream<Target> targets =
        readings
            .keyBy(MemoryReading::node)
            .connect(policies.union(acks).keyBy(TierUpdate::node))
            .process(new NodeFunction())
            .name("decide")
            .uid("decide");

    targets.sinkTo(kafka.targets()).name("targets").uid("targets");
  }

  private static <T> DataStream<T> read(
      StreamExecutionEnvironment env, Source<T, ?, ?> source, String name) {
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), name).uid(name);
  }
}
