package io.dynims.flink;

import io.dynims.core.wire.MemoryReading;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.prometheus.AddressedReporter;
import org.apache.flink.runtime.checkpoint.CheckpointFailureManager;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the job in this process until the process is stopped. */
final class LocalRun {

  private static final Logger LOG = LoggerFactory.getLogger(LocalRun.class);
  private static final String LOOPBACK = "127.0.0.1";
  private static final long CANCEL_SECONDS = 10;
  private static final String RPC_LOGGER = "org.apache.flink.runtime.rpc.pekko";

  private final JobSettings settings;
  private final UnaryOperator<DataStream<MemoryReading>> step;
  private volatile boolean ending;

  /**
   * A run.
   *
   * @param step maps the incoming readings to those that are decided on
   */
  LocalRun(JobSettings settings, UnaryOperator<DataStream<MemoryReading>> step) {
    this.settings = settings;
    this.step = step;
  }

  /**
   * Returns when the process is being stopped.
   *
   * @throws Exception when the job cannot start, or ends on its own
   */
  void run() throws Exception {
    var env = StreamExecutionEnvironment.createLocalEnvironment(configuration(settings));
    JobGraph.build(env, new KafkaSourcesAndSink(settings), step);
    JobClient job = env.executeAsync(JobGraph.NAME);
    ReadyFile ready =
        settings
            .readyFile()
            .map(file -> ReadyFile.keep(file, () -> job.getJobStatus().thenApply(LocalRun::runs)))
            .orElse(null);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cancel(job, ready), "cancel-job"));
    LOG.info("the job runs; job id {}", job.getJobID());
    try {
      job.getJobExecutionResult().get();
      throw new IllegalStateException("the job ended on its own");
    } catch (ExecutionException e) {
      if (!ending) {
        throw e;
      }
    }
  }

  private static boolean runs(JobStatus status) {
    return status == JobStatus.RUNNING;
  }

  /** Cancels the job so that pending targets are sent and connections are closed. */
  private void cancel(JobClient job, ReadyFile ready) {
    ending = true;
    if (ready != null) {
      ready.close();
    }
    LOG.info("ending the job");
    // Cancelling aborts a checkpoint that is under way, which Flink would log with a stack trace;
    // with
    // another one if the checkpoint was only just triggered. Whether cancelling failed is told
    // below.
    Configurator.setLevel(CheckpointFailureManager.class, Level.ERROR);
    Configurator.setLevel(RPC_LOGGER, Level.OFF);
    try {
      job.cancel().get(CANCEL_SECONDS, TimeUnit.SECONDS);
      LOG.info("the job has ended");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the job could not be cancelled in time", e);
    } finally {
      // The log is asynchronous; its last lines would be lost with the process.
      LogManager.shutdown();
    }
  }

  /** The smallest Flink: one slot, little memory, loopback only. */
  static Configuration configuration(JobSettings settings) {
    Configuration flink = settings.flink();
    if (settings.checkpointDirectory().isEmpty()) {
      flink.set(CheckpointingOptions.CHECKPOINT_STORAGE, HeapCheckpoints.class.getName());
    }
    int parallelism = Math.max(1, settings.parallelism());
    flink.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    flink.set(TaskManagerOptions.NUM_TASK_SLOTS, parallelism);
    flink.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
    flink.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
    flink.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ZERO);
    flink.set(RestOptions.ADDRESS, LOOPBACK);
    flink.set(RestOptions.BIND_ADDRESS, LOOPBACK);
    int restPort = settings.restPort().orElse(0);
    flink.set(RestOptions.BIND_PORT, Integer.toString(restPort));
    flink.set(RestOptions.PORT, restPort);
    // Flink binds these to every address unless told otherwise.
    flink.set(JobManagerOptions.BIND_HOST, LOOPBACK);
    flink.set(TaskManagerOptions.BIND_HOST, LOOPBACK);
    // Nobody may submit code to this process, or end its job.
    flink.set(WebOptions.SUBMIT_ENABLE, false);
    flink.set(WebOptions.CANCEL_ENABLE, false);
    flink.set(
        ReadOnlyRest.ALLOWED,
        settings.restPort().isPresent() ? ReadOnlyRest.Access.Reading : ReadOnlyRest.Access.None);
    // No page of another origin may read it; "null" would be that of a sandboxed frame.
    flink.set(WebOptions.ACCESS_CONTROL_ALLOW_ORIGIN, "");
    settings.metrics().ifPresent(address -> serveMetrics(flink, address));
    return flink;
  }

  /** Has Flink serve its metrics to Prometheus at an address. */
  static void serveMetrics(Configuration flink, InetSocketAddress address) {
    Configuration reporter = MetricOptions.forReporter(flink, "prometheus");
    reporter.set(MetricOptions.REPORTER_FACTORY_CLASS, AddressedReporter.Factory.class.getName());
    reporter.setString(AddressedReporter.HOST, address.getHostString());
    reporter.setString(AddressedReporter.PORT, Integer.toString(address.getPort()));
  }
}
