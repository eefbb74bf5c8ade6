package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.local.FreePorts;
import io.dynims.runtime.config.Config;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that cannot keep up, between real Kafka topics. */
class BacklogIT {

  private static final int NODES = 6;
  private static final int OLD_SAMPLES = 200;
  private static final long SKEW_MILLIS = 1_800_000;

  /** Long enough for what is old to be skipped, though ends are noted late on a slow machine. */
  private static final long WAIT_MILLIS = 6_000;

  @AfterEach
  void letTheJobEnd() {
    Gate.OPEN.get().countDown();
  }

  @Test
  void theNewestSampleOfEachNodeIsDecidedOnAndTheOldOnesAreSkipped() throws Exception {
    int port = FreePorts.next();
    List<String> nodes = IntStream.range(0, NODES).mapToObj(i -> "node-" + i).toList();
    try (KafkaLoop kafka = new KafkaLoop();
        MiniCluster cluster = cluster(port)) {
      submit(cluster, kafka.bootstrapServers());
      for (String node : nodes) {
        // None of the samples would be refused for its age.
        kafka.send(Samples.policy(Samples.policy(node, "t", Mode.Enforce), 100, 600_000));
        kafka.awaitTarget(node, ack(node));
      }

      Gate.OPEN.set(new CountDownLatch(1));
      sendUntilTheGateHolds(kafka);
      long fromMillis = System.currentTimeMillis();
      for (int i = 0; i < OLD_SAMPLES; i++) {
        for (int node = 0; node < NODES; node++) {
          // Neither a record's time nor a node's clock says how long a record has waited.
          long timestamp = fromMillis + (node % 2 == 0 ? SKEW_MILLIS : -SKEW_MILLIS);
          byte[] sample =
              Samples.collectd(nodes.get(node), fromMillis + i, 1_000, 20).getBytes(UTF_8);
          kafka.begin(Topics.METRICS, nodes.get(node), timestamp, sample);
        }
      }
      kafka.flush();
      long sentNanos = System.nanoTime();
      await().until(() -> System.nanoTime() - sentNanos > WAIT_MILLIS * 1_000_000);
      kafka.seen.clear();
      Gate.OPEN.get().countDown();

      for (String node : nodes) {
        kafka.awaitTarget(node, ack(node));
      }
      assertThat(kafka.seen)
          .extracting(Target::sampledMillis)
          .noneMatch(sampled -> sampled >= fromMillis && sampled < fromMillis + OLD_SAMPLES);
      JavaProcess.awaitSkipped(port, NODES * OLD_SAMPLES);
    }
  }

  private static Ack ack(String node) {
    return Samples.ack(node, "t", 500, 0);
  }

  /** A sample of a node without a policy stands in the gate, and all others behind it. */
  private static void sendUntilTheGateHolds(KafkaLoop kafka) {
    Gate.HOLDS.set(false);
    await()
        .until(
            () -> {
              long now = System.currentTimeMillis();
              kafka.send(
                  Topics.METRICS,
                  "other",
                  Samples.collectd("other", now, 1_000, 20).getBytes(UTF_8));
              return Gate.HOLDS.get();
            });
  }

  private static MiniCluster cluster(int metricsPort) throws Exception {
    Configuration flink = new Configuration();
    LocalRun.serveMetrics(
        flink, new InetSocketAddress(InetAddress.getLoopbackAddress(), metricsPort));
    return DynimsJobIT.miniCluster(flink, 1);
  }

  private static void submit(MiniCluster cluster, String brokers) throws Exception {
    String[] args = {"--kafka.bootstrap.servers=" + brokers, "--parallelism=1"};
    JobSettings settings = JobSettings.of(Config.read(JobSettings.documented(), args, Map.of()));
    var env = StreamExecutionEnvironment.createLocalEnvironment(settings.flink());
    JobGraph.build(env, new KafkaSourcesAndSink(settings), readings -> readings.map(new Gate()));
    cluster.submitJob(env.getStreamGraph()).get(60, TimeUnit.SECONDS);
  }

  /** Lets readings through while it is open; the job runs in this process. */
  private static final class Gate implements MapFunction<MemoryReading, MemoryReading> {

    private static final long serialVersionUID = 1L;

    static final AtomicReference<CountDownLatch> OPEN =
        new AtomicReference<>(new CountDownLatch(0));
    static final AtomicBoolean HOLDS = new AtomicBoolean();

    @Override
    public MemoryReading map(MemoryReading reading) throws InterruptedException {
      HOLDS.set(OPEN.get().getCount() > 0);
      OPEN.get().await();
      return reading;
    }
  }
}
