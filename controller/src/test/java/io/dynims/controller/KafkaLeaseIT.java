package io.dynims.controller;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.testing.ControllerProcess;
import io.dynims.testing.KafkaBroker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two controllers in processes of their own that share a lease of a real Kafka broker. */
class KafkaLeaseIT {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path folder;

  private final List<ControllerProcess> controllers = new ArrayList<>();
  @AutoClose private ControllerFixture fixture;
  private ControllerProcess leader;
  private ControllerProcess standby;

  @BeforeEach
  void start() throws Exception {
    fixture = new ControllerFixture(folder, KafkaBroker.start());
    fixture.writePolicies("a.yaml", document("n1", fixture.adapter.uri(), "Enforce", "1000"));
    leader = controller("first");
    await().until(() -> leads(leader));
    standby = controller("second");
    assertThat(leads(standby)).isFalse();
  }

  @AfterEach
  void close() throws Exception {
    controllers.forEach(ControllerProcess::kill);
  }

  @Test
  void theStandbyTakesOverFromALeaderThatIsKilled() throws Exception {
    push(300);
    leader.kill();
    long killedNanos = System.nanoTime();

    await().pollInterval(Duration.ofMillis(50)).until(() -> leads(standby));
    long millis = Duration.ofNanos(System.nanoTime() - killedNanos).toMillis();
    System.out.printf("A standby with policy files led %d ms later%n", millis);
    push(200);
  }

  @Test
  void theStandbyTakesOverFromALeaderThatStops() throws Exception {
    leader.close();

    await().until(() -> leads(standby));
    awaitLog(standby, "is Leader: holds the lease fleet");
    push(250);
  }

  @Test
  void aLeaderThatStoodStillGivesWayToTheNewOne() throws Exception {
    leader.signal("STOP");
    await().until(() -> leads(standby));
    leader.signal("CONT");

    await().until(() -> !leads(leader));
    awaitLog(leader, "is Standby: ");
    assertThat(leads(standby)).isTrue();
    push(350);
  }

  @Test
  void aLeaderWithoutKafkaContinuesAndOneOfBothLeadsAfterwards() throws Exception {
    fixture.broker.stop();
    await().until(() -> leader.log().contains("is UnconfirmedLeader: "));
    assertThat(leads(leader)).isTrue();
    fixture.broker.restart();

    await()
        .untilAsserted(
            () -> assertThat(List.of(leads(leader), leads(standby))).containsOnlyOnce(true));
    push(150);
  }

  /** A controller does not wait for its log: a line may come after what it is about. */
  private static void awaitLog(ControllerProcess controller, String text) {
    await().untilAsserted(() -> assertThat(controller.log()).contains(text));
  }

  /** Sends targets until one is in force; one that is sent while nobody leads is lost. */
  private void push(long desiredBytes) {
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              fixture.send(target("n1", desiredBytes));
              return fixture.store.status().capacityBytes() == desiredBytes;
            });
  }

  private ControllerProcess controller(String name) {
    ControllerProcess started =
        new ControllerProcess.Builder(Path.of("..").toAbsolutePath().normalize(), "lease-" + name)
            .environment("HOSTNAME", name)
            // It lives for seconds.
            .javaOptions(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
            .setting("kafka.bootstrap.servers", fixture.broker.bootstrapServers())
            .setting("kafka.topics.partitions", "2")
            .setting("kafka.lease", "fleet")
            .setting("policies.path", folder.toString())
            .start();
    controllers.add(started);
    return started;
  }

  private static boolean leads(ControllerProcess controller) throws Exception {
    URI metrics = controller.address().resolve("/metrics");
    HttpRequest request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(10)).build();
    String body = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    assertThat(body).containsPattern("(?m)^dynims_leader [01]");
    return body.lines().anyMatch(line -> line.startsWith("dynims_leader 1"));
  }
}
