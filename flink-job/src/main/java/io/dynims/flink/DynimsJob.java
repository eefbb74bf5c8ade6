package io.dynims.flink;

import io.dynims.core.config.Config;
import io.dynims.core.config.Program;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The streaming job: every node's metrics in, its tiers' targets out. */
public final class DynimsJob {

  static final String NAME = "dynims";

  private DynimsJob() {}

  /**
   * Submits the job if Flink runs this class; otherwise runs it in this process.
   *
   * @throws Exception on a cluster, when the settings are wrong or the job cannot be submitted
   */
  public static void main(String[] args) throws Exception {
    run(args, readings -> readings);
  }

  /**
   * Like {@link #main}, with a step between the readings and the decisions that the caller
   * supplies; for comparisons.
   *
   * @param args the job's arguments
   * @param step maps the incoming readings to those that are decided on
   */
  public static void run(String[] args, UnaryOperator<DataStream<MemoryReading>> step)
      throws Exception {
    if (StreamExecutionEnvironment.getExecutionEnvironment() instanceof LocalStreamEnvironment) {
      new Program(
              "dynims-flink-job",
              "Reads the nodes' metrics from Kafka, decides their tiers' capacities and writes"
                  + " them to Kafka.",
              JobSettings.documented())
          .main(args, config -> new LocalRun(JobSettings.of(config), step).run());
      return;
    }
    // An exit would end Flink's own process here, so errors are thrown to whoever submits the job.
    Config config = Config.read(JobSettings.documented(), args, System.getenv());
    JobSettings settings = JobSettings.of(config);
    var env = StreamExecutionEnvironment.getExecutionEnvironment(settings.flink());
    build(env, new KafkaSourcesAndSink(settings), step);
    env.execute(NAME);
  }

  /** Lays out the job. */
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
      StreamExecutionEnvironment env, KafkaSource<T> source, String name) {
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), name).uid(name);
  }
}
