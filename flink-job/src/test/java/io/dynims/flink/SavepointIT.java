package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.runtime.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job goes on from what earlier versions have saved. Each kept savepoint is of one node, whose
 * policies are nowhere else. Before the state changes, {@code -Ddynims.savepoint.write=FOLDER}
 * saves one more, to be kept beside the others under its date.
 */
class SavepointIT {

  private static final String WRITE = "dynims.savepoint.write";
  private static final String NODE = "kept";
  private static final long SECONDS = 60;
  private static final Path KEPT = Path.of("src/test/resources/io/dynims/flink/savepoints");

  private static KafkaLoop kafka;
  private static MiniCluster cluster;

  @TempDir static Path directory;

  @BeforeAll
  static void start() throws Exception {
    kafka = new KafkaLoop();
    cluster = DynimsJobIT.miniCluster(1);
    String folder = System.getProperty(WRITE);
    if (folder != null) {
      save(folder);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
    kafka.close();
  }

  private static void save(String folder) throws Exception {
    JobID job = submit(new Configuration());
    kafka.send(Samples.policy(NODE, "t", Mode.Enforce, LawType.Forecast));
    kafka.send(Samples.policy(NODE, "u", Mode.Recommend, LawType.Feedback));
    kafka.send(Samples.ack(NODE, "u", 100, 0));
    for (int i = 0; i < 5; i++) {
      kafka.awaitTarget(NODE, ack());
    }
    String saved =
        cluster
            .triggerSavepoint(job, folder, false, SavepointFormatType.CANONICAL)
            .get(SECONDS, TimeUnit.SECONDS);
    System.out.println("saved to " + saved);
    end(job);
  }

  static List<Path> kept() throws IOException {
    try (Stream<Path> folders = Files.list(KEPT)) {
      return folders.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("kept")
  void aJobGoesOnFromWhatAnEarlierVersionHasSaved(Path savepoint) throws Exception {
    kafka.forgetPolicies();
    Configuration flink = new Configuration();
    flink.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint.toUri().toString());
    JobID job = submit(flink);

    // The first ones may say that the node was silent.
    Target target =
        Stream.generate(() -> kafka.awaitTarget(NODE, ack()))
            .limit(50)
            .filter(each -> each.forecast() != null)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no decision by the law of the saved policy"));
    assertThat(target.tier()).isEqualTo("t");
    assertThat(target.previousBytes()).isEqualTo(500);
    for (AccessExecutionVertex task :
        cluster.getExecutionGraph(job).get(SECONDS, TimeUnit.SECONDS).getAllExecutionVertices()) {
      assertThat(task.getCurrentExecutionAttempt().getAttemptNumber())
          .as("restarts of %s", task.getTaskNameWithSubtaskIndex())
          .isZero();
    }
    end(job);
  }

  private static Ack ack() {
    return Samples.ack(NODE, "t", 500, List.of(new Hint("job", 10, 0, Long.MAX_VALUE >> 11)));
  }

  private static void end(JobID job) throws Exception {
    cluster.cancelJob(job).get(SECONDS, TimeUnit.SECONDS);
    kafka.forgetPolicies();
  }

  private static JobID submit(Configuration flink) throws Exception {
    Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
    String[] args = {
      "--kafka.bootstrap.servers=" + kafka.bootstrapServers(),
      "--checkpoint.directory=" + checkpoints,
      "--parallelism=1"
    };
    JobSettings settings = JobSettings.of(Config.read(JobSettings.documented(), args, Map.of()));
    Configuration all = settings.flink();
    all.addAll(flink);
    return DynimsJobIT.submit(cluster, settings, all);
  }
}
