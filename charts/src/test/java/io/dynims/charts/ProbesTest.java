package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kubelet asks, and what it restarts or keeps requests from. */
class ProbesTest {

  private static final Path HEALTHCHECK = Path.of("../dist/docker/healthcheck");

  @TempDir Path folder;

  @Test
  void aJobManagerIsReadyWhileItsJobRuns() {
    JsonNode jobManager = container(new Chart(), "Deployment", "-jobmanager", "jobmanager");
    String file = Manifests.env(jobManager, "DYNIMS_FLINK_READY_FILE");

    assertThat(Manifests.texts(jobManager.at("/readinessProbe/exec/command")))
        .containsExactly("healthcheck", file, "10");
  }

  @Test
  void aJobThatRestartsDoesNotRestartItsJobManager() {
    for (Chart chart : List.of(new Chart(), new Chart().variant("strimzi"))) {
      JsonNode jobManager = container(chart, "Deployment", "-jobmanager", "jobmanager");
      String file = Manifests.env(jobManager, "DYNIMS_FLINK_READY_FILE");

      assertThat(jobManager.path("livenessProbe").toString()).doesNotContain(file);
      assertThat(jobManager.path("startupProbe").toString()).doesNotContain(file);
    }
  }

  /** A job needs its TaskManagers to run, which find the JobManager by the Service. */
  @Test
  void taskManagersReachAJobManagerThatIsNotReady() {
    JsonNode service = new Chart().render().one("Service", "-jobmanager");

    assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
  }

  @Test
  void aCollectdThatSendsNothingIsRestarted() {
    JsonNode agent = new Chart().render().one("DaemonSet", "-agent");
    JsonNode collectd = Manifests.container(agent, "collectd");
    List<String> probe = Manifests.texts(collectd.at("/livenessProbe/exec/command"));

    assertThat(probe).containsExactly("healthcheck", aliveFile(new Chart()), "30");
    JsonNode mount =
        Manifests.stream(collectd.path("volumeMounts"))
            .filter(each -> probe.get(1).startsWith(each.path("mountPath").asText() + "/"))
            .findFirst()
            .orElseThrow();
    assertThat(mount.path("readOnly").asBoolean()).isFalse();
    assertThat(Manifests.podSpec(agent).path("volumes"))
        .filteredOn(each -> each.path("name").equals(mount.path("name")))
        .as("a disk that hangs must not hold up the samples")
        .allMatch(each -> each.at("/emptyDir/medium").asText().equals("Memory"));
  }

  @Test
  void aCollectdThatSendsSeldomIsNotRestarted() {
    JsonNode collectd =
        container(
            new Chart().set("agent.collectd.interval", 60), "DaemonSet", "-agent", "collectd");

    assertThat(collectd.at("/livenessProbe/exec/command/2").asInt()).isEqualTo(180);
  }

  @Test
  void withStrimziACollectdThatSendsNothingIsRestartedToo() {
    Chart chart = new Chart().variant("strimzi");
    JsonNode collectd = container(chart, "DaemonSet", "-agent", "collectd");

    assertThat(collectd.at("/livenessProbe/exec/command/2").asText())
        .contains("/etc/dynims/kafka/..data")
        .endsWith(" && healthcheck " + aliveFile(chart) + " 30");
  }

  @Test
  void theImagesHaveWhatTheProbesRun() throws IOException {
    String images = Files.readString(Path.of("../dist/Dockerfile"));

    for (String stage : List.of("FROM runtime AS java\n", "FROM runtime AS dynims-agent\n")) {
      String instructions = images.substring(images.indexOf(stage) + stage.length());
      assertThat(instructions.substring(0, (instructions + "\nFROM ").indexOf("\nFROM ")))
          .containsPattern("COPY .*dist/docker/healthcheck .*/usr/local/bin/");
    }
  }

  @Test
  void aFileIsHealthyAsLongAsItIsYoung() throws Exception {
    Path file = folder.resolve("alive");

    assertThat(healthcheck(file)).as("not there yet").isNotZero();
    Files.writeString(file, "");
    assertThat(healthcheck(file)).isZero();
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(31)));
    assertThat(healthcheck(file)).isNotZero();
  }

  private static int healthcheck(Path file) throws Exception {
    return new ProcessBuilder(HEALTHCHECK.toString(), file.toString(), "30")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static String aliveFile(Chart chart) {
    List<String> command =
        Manifests.texts(
            container(chart, "DaemonSet", "-agent", "render-collectd-conf").path("command"));
    return command.get(command.indexOf("--alive-file") + 1);
  }

  private static JsonNode container(Chart chart, String kind, String nameEnd, String name) {
    return Manifests.container(chart.render().one(kind, nameEnd), name);
  }
}
