package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.local.FreePorts;
import io.dynims.runtime.config.Config;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job on real Flink clusters, between real Kafka topics. */
class DynimsJobIT {

  /**
   * What Flink 2.2 logs if the job ends between the moment at which a checkpoint begins and the one
   * at which its sources hear of it: it aborts a checkpoint that they have not seen. Harmless.
   */
  private static final Pattern ABORTED_UNSEEN =
      Pattern.compile(
          "(?m)^.*Caught exception while executing runnable in main thread.*\\R"
              + ".*Trying to open gateway for unseen checkpoint.*\\R(\\s+at .*\\R)*");

  private static KafkaLoop kafka;

  @TempDir Path directory;

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = new KafkaLoop();
  }

  @AfterAll
  static void stopKafka() throws Exception {
    kafka.close();
  }

  @Test
  void turnsASampleIntoATargetWhateverElseIsInTheTopics() throws Exception {
    Ack ack = Samples.ack("plain", "t", 500, 0);
    try (MiniCluster cluster = miniCluster(2)) {
      submit(cluster);
      kafka.send(Topics.POLICIES, "plain/t", "{\"node\":".getBytes(UTF_8));
      kafka.send(Samples.policy("plain", "t", Mode.Enforce));
      Target target = kafka.awaitTarget("plain", ack);
      assertThat(target.previousBytes()).isEqualTo(500);
      assertThat(target.memoryUsedBytes()).isEqualTo(980);
      assertThat(target.desiredBytes()).isEqualTo(485);

      for (String topic : new String[] {Topics.METRICS, Topics.ACKS, Topics.POLICIES}) {
        kafka.send(topic, "plain", "[{\"nonsense".getBytes(UTF_8));
        kafka.send(topic, "plain", new byte[] {(byte) 0xff, 0});
      }
      assertThat(kafka.awaitTarget("plain", ack).desiredBytes()).isEqualTo(485);
    }
  }

  @Test
  void losesNoPolicyWhenTheTaskManagerIsKilled() throws Exception {
    Ack ack = Samples.ack("killed", "t", 500, 0);
    try (MiniCluster cluster = miniCluster(2)) {
      JobID job = submit(cluster);
      kafka.send(Samples.policy("killed", "t", Mode.Enforce));
      kafka.awaitTarget("killed", ack);
      cluster.triggerCheckpoint(job, CheckpointType.FULL).get(60, TimeUnit.SECONDS);
      kafka.forgetPolicies();

      cluster.terminateTaskManager(0).get(60, TimeUnit.SECONDS);
      cluster.startTaskManager();
      assertThat(kafka.awaitTarget("killed", ack).previousBytes()).isEqualTo(500);
    }
  }

  @Test
  void runsInAProcessOfItsOwnAnswersNoRequestAndEndsInOrder() throws Exception {
    Path ready = directory.resolve("ready");
    kafka.send(Samples.policy("own", "t", Mode.Enforce));
    try (JavaProcess job =
        JavaProcess.job(
            directory.resolve("job.log"),
            // So often that one is under way when the job ends.
            "--checkpoint.interval=100ms",
            "--ready.file=" + ready,
            "--kafka.bootstrap.servers=" + kafka.bootstrapServers())) {
      kafka.awaitTarget("own", Samples.ack("own", "t", 500, 0));
      assertThat(job.listening()).isNotEmpty().allMatch(address -> address.contains("0100007F:"));
      assertAnswersNoRequest(job);
      await().until(() -> Files.exists(ready));
      assertThat(job.terminate()).as("exit code after SIGTERM").isEqualTo(128 + 15);
      assertThat(ready).doesNotExist();
      // Before that, Flink may warn of offsets that the new broker cannot keep yet.
      String end = ABORTED_UNSEEN.matcher(job.log()).replaceAll("");
      end = end.substring(end.indexOf("ending the job"));
      assertThat(end).contains("the job has ended").doesNotContain("Exception");
    }
  }

  private static void assertAnswersNoRequest(JavaProcess job) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String address : job.listening()) {
      int port = Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
      try {
        answers.add(rest(port, "GET", "/jobs/overview").body());
      } catch (IOException e) {
        // Not the port of the REST API.
      }
    }
    assertThat(answers).containsExactly("{\"errors\":[\"this REST API is off\"]}");
  }

  private static void assertNobodyEndsIt(int port) throws Exception {
    HttpResponse<String> overview = rest(port, "GET", "/jobs/overview");
    assertThat(overview.body()).contains("\"state\":\"RUNNING\"");
    assertThat(overview.headers().firstValue("Access-Control-Allow-Origin"))
        .isNotEqualTo(Optional.of("*"));
    String id = overview.body().replaceFirst(".*\"jid\":\"(\\w+)\".*", "$1");

    assertThat(rest(port, "GET", "/jobs/" + id + "/yarn-cancel").statusCode()).isEqualTo(403);
    assertThat(rest(port, "PATCH", "/jobs/" + id + "?mode=cancel").statusCode()).isEqualTo(403);
    assertThat(rest(port, "POST", "/jobs/" + id + "/stop").statusCode()).isEqualTo(403);
    assertThat(rest(port, "DELETE", "/cluster").statusCode()).isEqualTo(403);

    assertThat(rest(port, "GET", "/jobs/overview").body()).contains("\"state\":\"RUNNING\"");
    kafka.awaitTarget("metered", Samples.ack("metered", "t", 400, 0));
  }

  private static HttpResponse<String> rest(int port, String method, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(5))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void servesItsMetricsAndARestApiThatEndsNothingWhereItIsTold() throws Exception {
    int port = FreePorts.next();
    int restPort = FreePorts.next();
    kafka.send(Samples.policy("metered", "t", Mode.Enforce));
    try (JavaProcess job =
        JavaProcess.job(
            directory.resolve("job.log"),
            "--metrics.address=127.0.0.1:" + port,
            "--rest.port=" + restPort,
            "--kafka.bootstrap.servers=" + kafka.bootstrapServers())) {
      kafka.awaitTarget("metered", Samples.ack("metered", "t", 500, 0));
      kafka.send(Topics.METRICS, "metered", "nonsense".getBytes(UTF_8));
      long now = System.currentTimeMillis();
      kafka.send(Topics.METRICS, "x", Samples.collectd("x", now, 1_000, 20).getBytes(UTF_8));
      String old = Samples.collectd("metered", now - 60_000, 1_000, 20);
      kafka.send(Topics.METRICS, "metered", old.getBytes(UTF_8));

      await()
          .atMost(Duration.ofMinutes(5))
          .untilAsserted(
              () ->
                  assertThat(JavaProcess.metrics(port).lines())
                      .anyMatch(isAbove0("dynims_action_limit_decisions", "action=\"Shrink\""))
                      .anyMatch(isAbove0("dynims_sampleToDecisionMillis_count", ""))
                      .anyMatch(isAbove0("dynims_samplesAccepted", ""))
                      .anyMatch(isAbove0("dynims_reason_samplesDropped", "reason=\"Stale\""))
                      .anyMatch(isAbove0("dynims_reason_samplesDropped", "reason=\"NoPolicy\""))
                      .anyMatch(isAbove0("deserializer_malformedMessages", "Source:_metrics"))
                      .anyMatch(line -> line.contains("_dynims_silentNodes{"))
                      .anyMatch(line -> line.contains("_dynims_decisionsWithoutAck{"))
                      .anyMatch(line -> line.contains("_pendingRecords{"))
                      .anyMatch(line -> line.contains("_KafkaConsumer_records_lag_max{")));
      long series = JavaProcess.metrics(port).lines().filter(line -> !line.startsWith("#")).count();
      System.out.println("series of the job in a process of its own: " + series);
      assertThat(job.listening()).isNotEmpty().allMatch(address -> address.contains("0100007F:"));
      assertNobodyEndsIt(restPort);
    }
  }

  /** A series of the job's operators with this label and a value above 0. */
  private static Predicate<String> isAbove0(String name, String label) {
    return line ->
        line.startsWith("flink_taskmanager_job_task_operator_" + name + "{")
            && line.contains(label)
            && Double.parseDouble(line.substring(line.lastIndexOf(' '))) > 0;
  }

  @Test
  void namesEverySettingThatIsWrong() throws Exception {
    try (JavaProcess job =
        JavaProcess.job(directory.resolve("job.log"), "--bogus=1", "--checkpoint.interval=soon")) {
      assertThat(job.exitCode()).isEqualTo(2);
      assertThat(job.log())
          .contains("dynims-flink-job: bogus: is not a setting")
          .contains("dynims-flink-job: checkpoint.interval: 'soon' is not a duration");
    }
  }

  @Test
  void runsOnASessionClusterWhereItsJarIsUploaded() throws Exception {
    kafka.send(Samples.policy("session", "t", Mode.Enforce));
    try (FlinkCluster cluster = FlinkCluster.session(directory)) {
      cluster.awaitReady();
      String jar = cluster.upload(Path.of(JavaProcess.JOB_JAR));
      assertThat(cluster.run(jar, "--bogus=1")).contains("bogus: is not a setting");

      String answer = cluster.run(jar, "--kafka.bootstrap.servers=" + kafka.bootstrapServers());
      assertThat(answer).contains("jobid");
      kafka.awaitTarget("session", Samples.ack("session", "t", 500, 0));
    }
  }

  @Test
  void runsOnAClusterOfItsOwn() throws Exception {
    kafka.send(Samples.policy("application", "t", Mode.Enforce));
    try (FlinkCluster cluster =
        FlinkCluster.application(
            directory, "--kafka.bootstrap.servers=" + kafka.bootstrapServers())) {
      kafka.awaitTarget("application", Samples.ack("application", "t", 500, 0));
      assertThat(cluster.metrics())
          .contains("flink_taskmanager_job_task_operator_dynims_action_limit_decisions{")
          .contains("flink_jobmanager_job_uptime{");
      cluster.probe();
      assertThat(cluster.jobManagerLog()).doesNotContain("Exception");
      cluster.assertOnlyOwnCertificatesAreAccepted();
    }
  }

  @Test
  void aClusterOfItsOwnIsReadyOnlyWhileEveryTaskRuns() throws Exception {
    Path ready = directory.resolve("ready");
    String brokers = "--kafka.bootstrap.servers=" + kafka.bootstrapServers();
    try (FlinkCluster cluster =
        FlinkCluster.application(directory, "--ready.file=" + ready, brokers)) {
      await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(ready));

      cluster.killTaskManager();
      await().atMost(Duration.ofMinutes(5)).until(() -> !Files.exists(ready));
      // The job counts as running again while it waits for a slot.
      await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> cluster.get("/jobs/overview").contains("\"state\":\"RUNNING\""));
      await().during(Duration.ofSeconds(3)).until(() -> !Files.exists(ready));
    }
  }

  @Test
  void endsAClusterOfItsOwnWhoseSettingsAreWrong() throws Exception {
    try (FlinkCluster cluster = FlinkCluster.application(directory, "--bogus=1")) {
      assertThat(cluster.exitCode()).isNotZero();
      assertThat(cluster.jobManagerLog()).contains("bogus: is not a setting");
    }
  }

  static MiniCluster miniCluster(int slots) throws Exception {
    return miniCluster(new Configuration(), slots);
  }

  static MiniCluster miniCluster(Configuration flink, int slots) throws Exception {
    // Any port, as another cluster of the machine may have Flink's own.
    flink.set(RestOptions.BIND_PORT, "0");
    flink.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(flink)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
    cluster.start();
    return cluster;
  }

  private JobID submit(MiniCluster cluster) throws Exception {
    Path file = Files.writeString(directory.resolve("job.properties"), settings());
    String[] args = {"--config", file.toString()};
    JobSettings settings = JobSettings.of(Config.read(JobSettings.documented(), args, Map.of()));
    return submit(cluster, settings, settings.flink());
  }

  static JobID submit(MiniCluster cluster, JobSettings settings, Configuration flink)
      throws Exception {
    var env = StreamExecutionEnvironment.createLocalEnvironment(flink);
    JobGraph.build(env, new KafkaSourcesAndSink(settings), readings -> readings);
    return cluster.submitJob(env.getStreamGraph()).get(60, TimeUnit.SECONDS).getJobID();
  }

  private String settings() throws IOException {
    return """
    kafka.bootstrap.servers = %s
    checkpoint.interval = 1s
    checkpoint.directory = %s
    parallelism = 2
    """
        .formatted(
            kafka.bootstrapServers(), Files.createDirectories(directory.resolve("checkpoints")));
  }
}
