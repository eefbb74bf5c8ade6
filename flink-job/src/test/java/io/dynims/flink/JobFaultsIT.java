package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.local.FreePorts;
import io.dynims.runtime.backlog.PartitionEnds;
import io.dynims.runtime.config.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the job does when its checkpoints fail, and with what piled up while it was away. */
class JobFaultsIT {

  private static final int SECONDS = 60;
  private static final int NODES = 30_000;

  private static KafkaLoop kafka;

  @TempDir Path directory;
  @AutoClose private MiniCluster cluster;

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = new KafkaLoop();
  }

  @AfterAll
  static void stopKafka() throws Exception {
    kafka.close();
  }

  @BeforeEach
  void startFlink() throws Exception {
    cluster = DynimsJobIT.miniCluster(1);
  }

  @Test
  void goesOnWhileItsCheckpointsFail() throws Exception {
    Ack ack = Samples.ack("full", "t", 500, 0);
    JobSettings settings = settings();
    JobID job = DynimsJobIT.submit(cluster, settings, settings.flink());
    kafka.send(Samples.policy("full", "t", Mode.Enforce));
    sendPolicies();
    try {
      kafka.awaitTarget("full", ack);
      long before = stats(job).getCounts().getNumberOfFailedCheckpoints();
      awaitCheckpoints(
          job, stats -> stats.getCounts().getNumberOfFailedCheckpoints() >= before + 5);
      assertThat(kafka.awaitTarget("full", ack).previousBytes()).isEqualTo(500);
      for (AccessExecutionVertex task : graph(job).getAllExecutionVertices()) {
        assertThat(task.getCurrentExecutionAttempt().getAttemptNumber())
            .as("restarts of %s", task.getTaskNameWithSubtaskIndex())
            .isZero();
      }
    } finally {
      kafka.forgetPolicies();
    }
  }

  @Test
  void keepsMoreThanFlinksBoundInMemoryInAProcessOfItsOwn() throws Exception {
    JobSettings settings = settings();
    JobID job = DynimsJobIT.submit(cluster, settings, LocalRun.configuration(settings));
    sendPolicies();
    try {
      awaitCheckpoints(job, stats -> stateBytes(stats) > 5 << 20);
      System.out.println("state of the policies of " + NODES + " nodes: " + stateBytes(stats(job)));
    } finally {
      kafka.forgetPolicies();
    }
  }

  @Test
  void readsMetricsFromTheNewestOnAfterARestart() throws Exception {
    Ack ack = Samples.ack("away", "t", 500, 0);
    JobSettings settings = settings();
    JobID job = DynimsJobIT.submit(cluster, settings, settings.flink());
    // Long enough that none of what comes in the meantime would be refused for its age.
    kafka.send(Samples.policy(Samples.policy("away", "t", Mode.Enforce), 100, 600_000));
    kafka.awaitTarget("away", ack);
    cluster.triggerCheckpoint(job, CheckpointType.FULL).get(SECONDS, TimeUnit.SECONDS);
    cluster.terminateTaskManager(0).get(SECONDS, TimeUnit.SECONDS);
    long fromMillis = System.currentTimeMillis();
    for (int i = 0; i < 50; i++) {
      byte[] sample = Samples.collectd("away", fromMillis + i, 1_000, 20).getBytes(UTF_8);
      kafka.send(Topics.METRICS, "away", sample);
      kafka.send(Samples.ack("away", "t", 300, 0));
    }
    await().until(() -> System.currentTimeMillis() > fromMillis + 50);
    kafka.seen.clear();

    cluster.startTaskManager();
    Target first = kafka.awaitTarget("away", ack);
    assertThat(first.previousBytes()).isEqualTo(500);
    assertThat(kafka.seen)
        .extracting(Target::sampledMillis)
        .noneMatch(sampled -> sampled >= fromMillis && sampled < fromMillis + 50);
  }

  @Test
  void skipsWhatPiledUpWhileItStoodStill() throws Exception {
    Ack ack = Samples.ack("still", "t", 500, 0);
    int port = FreePorts.next();
    kafka.send(Samples.policy("still", "t", Mode.Enforce));
    try (JavaProcess job =
        JavaProcess.job(
            directory.resolve("job.log"),
            "--metrics.address=127.0.0.1:" + port,
            "--kafka.bootstrap.servers=" + kafka.bootstrapServers())) {
      kafka.awaitTarget("still", ack);
      job.signal("STOP");
      long stoppedNanos = System.nanoTime();
      int messages = 200_000;
      long firstMillis = System.currentTimeMillis() - 60_000;
      for (int i = 0; i < messages; i++) {
        long sampledMillis = firstMillis + i / 10;
        byte[] sample = Samples.collectd("still", sampledMillis, 1_000, 20).getBytes(UTF_8);
        kafka.begin(Topics.METRICS, "still", sampledMillis, sample);
      }
      kafka.flush();
      long stoodStillMillis = PartitionEnds.STOOD_STILL_MILLIS + 2 * PartitionEnds.NOTE_MILLIS;
      await().until(() -> System.nanoTime() - stoppedNanos > stoodStillMillis * 1_000_000);

      long startNanos = System.nanoTime();
      job.signal("CONT");
      kafka.awaitTarget("still", ack);
      long tookMillis = (System.nanoTime() - startNanos) / 1_000_000;
      double skipped = JavaProcess.awaitSkipped(port, 1);
      System.out.println(
          "of "
              + messages
              + " messages that piled up "
              + skipped
              + " were skipped, and the newest"
              + " one led to a target within "
              + tookMillis
              + " ms");
      // The job does not wait for its log.
      await().until(() -> job.log().contains(" ms behind in dynims.metrics partition "));
      assertThat(job.log())
          .as("what the client warns of each time that it is asked for the end of a partition")
          .doesNotContain("Not updating high watermark");
    }
  }

  private static long stateBytes(CheckpointStatsSnapshot stats) {
    var latest = stats.getHistory().getLatestCompletedCheckpoint();
    return latest == null ? 0 : latest.getStateSize();
  }

  /** More state than Flink keeps in the JobManager's memory. */
  private static void sendPolicies() {
    for (int i = 0; i < NODES; i++) {
      Policy policy = Samples.policy("many-" + i, "t", Mode.Enforce);
      byte[] value = WireCodec.POLICY.encode(policy);
      kafka.begin(Topics.POLICIES, policy.key().toString(), System.currentTimeMillis(), value);
    }
    kafka.flush();
  }

  private static JobSettings settings() throws Exception {
    String[] args = {
      "--kafka.bootstrap.servers=" + kafka.bootstrapServers(),
      "--checkpoint.interval=500ms",
      "--parallelism=1"
    };
    return JobSettings.of(Config.read(JobSettings.documented(), args, Map.of()));
  }

  private void awaitCheckpoints(JobID job, Predicate<CheckpointStatsSnapshot> wanted) {
    await().atMost(Duration.ofSeconds(SECONDS)).until(() -> wanted.test(stats(job)));
  }

  private CheckpointStatsSnapshot stats(JobID job) throws Exception {
    return graph(job).getCheckpointStatsSnapshot();
  }

  private AccessExecutionGraph graph(JobID job) throws Exception {
    return cluster.getExecutionGraph(job).get(SECONDS, TimeUnit.SECONDS);
  }
}
