package io.dynims.flink;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;

/**
 * The job's settings, as {@code flink-job.properties} documents them.
 *
 * @param kafka properties of every Kafka client
 * @param group the consumer group
 * @param fetchMinBytes the least bytes that a fetch of metrics waits for
 * @param fetchWaitMillis the longest that it waits
 * @param lingerMillis how long samples and targets may wait for others, between operators and in
 *     the producer
 * @param checkpointIntervalMillis the time between checkpoints
 * @param checkpointDirectory where they are stored; empty for the cluster's default
 * @param parallelism the number of parallel tasks; 0 for the cluster's default
 * @param restPort the REST port when the job runs in its own process; empty to answer no request
 * @param readyFile exists, and is not older than 10 seconds, while the job runs in a process or a
 *     cluster of its own
 * @param metrics where the job serves Flink's metrics when it runs in its own process; empty for
 *     nowhere
 */
record JobSettings(
    Properties kafka,
    String group,
    int fetchMinBytes,
    int fetchWaitMillis,
    int lingerMillis,
    long checkpointIntervalMillis,
    String checkpointDirectory,
    int parallelism,
    Optional<Integer> restPort,
    Optional<Path> readyFile,
    Optional<InetSocketAddress> metrics) {

  /** The bundled file that documents the settings. */
  static String documented() {
    return Config.resource(JobSettings.class, "flink-job.properties");
  }

  static JobSettings of(Config config) throws ConfigException {
    JobSettings settings =
        new JobSettings(
            kafka(config),
            config.required("kafka.group"),
            config.number("kafka.fetch.min", 1, 50 << 20),
            (int) Math.min(config.millis("kafka.fetch.wait"), Integer.MAX_VALUE),
            (int) Math.min(config.millis("linger"), Integer.MAX_VALUE),
            config.millis("checkpoint.interval"),
            config.text("checkpoint.directory"),
            config.number("parallelism", 0, 1 << 15),
            config.text("rest.port").isEmpty()
                ? Optional.empty()
                : Optional.of(config.number("rest.port", 0, 65_535)),
            config.path("ready.file"),
            config.text("metrics.address").isEmpty()
                ? Optional.empty()
                : Optional.of(config.address("metrics.address")));
    if (settings.checkpointIntervalMillis < 10) {
      config.reject("checkpoint.interval", "is below 10ms");
    }
    config.check();
    return settings;
  }

  /** The Flink configuration that the job needs wherever it runs. */
  Configuration flink() {
    Configuration flink = new Configuration();
    // Flink's default would batch samples between operators for up to 100 ms.
    flink.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(lingerMillis));
    flink.set(PipelineOptions.OBJECT_REUSE, true);
    // State that only Kryo can write would not survive an upgrade of the job.
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    flink.set(StateBackendOptions.STATE_BACKEND, "hashmap");
    flink.set(
        CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(checkpointIntervalMillis));
    // What a checkpoint holds comes again within a second, or is in Kafka: better none than no job.
    flink.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
    if (!checkpointDirectory.isEmpty()) {
      flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpointUri());
    }
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        Duration.ofMillis(500));
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(10));
    if (parallelism > 0) {
      flink.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    }
    return flink;
  }

  private String checkpointUri() {
    return checkpointDirectory.contains(":/")
        ? checkpointDirectory
        : Path.of(checkpointDirectory).toAbsolutePath().toUri().toString();
  }

  private static Properties kafka(Config config) {
    Properties kafka = new Properties();
    kafka.putAll(config.properties("kafka.properties"));
    kafka.setProperty("bootstrap.servers", config.required("kafka.bootstrap.servers"));
    return kafka;
  }
}
