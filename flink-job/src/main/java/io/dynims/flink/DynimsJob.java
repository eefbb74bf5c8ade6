package io.dynims.flink;

import io.dynims.core.wire.MemoryReading;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.Program;
import java.util.function.UnaryOperator;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Starts the streaming job, on a Flink cluster or in this process. */
public final class DynimsJob {

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
    JobGraph.build(env, new KafkaSourcesAndSink(settings), step);
    env.execute(JobGraph.NAME);
  }
}
