package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics, users and credentials where Strimzi runs Kafka. */
class StrimziTest {

  private static final Path ACLS = Path.of("../dist/kafka/acls.csv");

  private final Manifests manifests = new Chart().variant("strimzi").render();

  @TempDir Path folder;

  @Test
  void makesTopicsAndUsers() throws IOException {
    Golden.check(
        "strimzi",
        Stream.of("KafkaTopic", "KafkaUser")
            .flatMap(kind -> manifests.ofKind(kind).stream())
            .toList());
  }

  @Test
  void usersMayDoWhatTheListOfRightsSaysAndNothingElse() throws IOException {
    assertThat(rights(manifests, "dynims-agent")).isEqualTo(documented(Set.of("agent"), false));
    assertThat(rights(manifests, "dynims"))
        .isEqualTo(documented(Set.of("controller", "job"), false));
  }

  @Test
  void controllersThatShareTheFleetHaveATopicOfOnePartition() throws IOException {
    Manifests shared = new Chart().variant("strimzi").set("controller.share", true).render();

    assertThat(rights(shared, "dynims")).isEqualTo(documented(Set.of("controller", "job"), true));
    assertThat(shared.ofKind("KafkaTopic"))
        .filteredOn(topic -> Manifests.name(topic).equals("dynims.controllers"))
        .singleElement()
        .satisfies(topic -> assertThat(topic.at("/spec/partitions").asInt()).isEqualTo(1));
  }

  private static Set<String> rights(Manifests rendered, String user) {
    JsonNode found =
        rendered.ofKind("KafkaUser").stream()
            .filter(each -> Manifests.name(each).equals(user))
            .findFirst()
            .orElseThrow();
    Set<String> rights = new TreeSet<>();
    for (JsonNode acl : found.at("/spec/authorization/acls")) {
      String resource = acl.at("/resource/type").asText() + " " + acl.at("/resource/name").asText();
      Manifests.texts(acl.path("operations")).forEach(each -> rights.add(resource + " " + each));
    }
    return rights;
  }

  private static Set<String> documented(Set<String> roles, boolean share) throws IOException {
    return Files.readAllLines(ACLS).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(",", -1))
        .filter(line -> roles.contains(line[0]))
        // Of kafka.lease: a Lease of the cluster elects the leader here.
        .filter(line -> !line[2].equals("dynims.leader") && !line[1].equals("transactional-id"))
        .filter(line -> share || !line[2].equals("dynims.controllers"))
        .flatMap(
            line ->
                Stream.of(line[3].split(" ", -1)).map(each -> line[1] + " " + line[2] + " " + each))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void usersGetNoRightsWhereKafkaHasNoAuthorization() {
    assertThat(
            new Chart()
                .variant("strimzi")
                .set("kafka.strimzi.authorization", false)
                .render()
                .ofKind("KafkaUser"))
        .hasSize(2)
        .noneMatch(user -> user.path("spec").has("authorization"));
  }

  @Test
  void programsReachTheListenerThatAsksForCertificates() {
    JsonNode controller =
        Manifests.container(manifests.one("Deployment", "-controller"), "controller");

    assertThat(Manifests.env(controller, "DYNIMS_KAFKA_BOOTSTRAP_SERVERS"))
        .isEqualTo("events-kafka-bootstrap.kafka:9093");
    assertThat(Manifests.env(controller, "DYNIMS_KAFKA_PROPERTIES"))
        .isEqualTo("/etc/dynims/kafka/client.properties");
    assertThat(manifests.ofKind("StatefulSet")).as("no broker for evaluation").isEmpty();
  }

  @Test
  void programsHaveTheirUsersCertificateAndNoOther() {
    assertThat(sources(manifests.one("DaemonSet", "-agent")))
        .containsExactly(
            "dynims-kafka-clients: librdkafka.properties",
            "events-cluster-ca-cert: ca.crt",
            "dynims-agent: user.crt user.key");
    for (String pods : List.of("-controller", "-jobmanager", "-taskmanager")) {
      assertThat(sources(manifests.one("Deployment", pods)))
          .containsExactly(
              "dynims-kafka-clients: client.properties",
              "events-cluster-ca-cert: ca.crt",
              "dynims: user.crt user.key");
    }
  }

  private static List<String> sources(JsonNode workload) {
    JsonNode volume =
        Manifests.stream(Manifests.podSpec(workload).path("volumes"))
            .filter(each -> each.path("name").asText().equals("kafka"))
            .findFirst()
            .orElseThrow();
    assertThat(volume.at("/projected/defaultMode").asInt()).isEqualTo(0440);
    return Manifests.stream(volume.at("/projected/sources"))
        .map(
            source -> {
              JsonNode from = source.has("secret") ? source.get("secret") : source.get("configMap");
              String keys = String.join(" ", from.path("items").findValuesAsText("key"));
              return from.path("name").asText() + ": " + keys;
            })
        .toList();
  }

  /** A client reads its certificate and key when it is made, so wrong ones are refused here. */
  @Test
  void kafkasClientTakesThePropertiesAndTheKey() throws Exception {
    TlsFiles.Paths issued = new LocalAuthority(folder, "ca", 1).issue("dynims");
    Files.copy(issued.authorities().orElseThrow(), folder.resolve("ca.crt"));
    Files.copy(issued.certificate().orElseThrow(), folder.resolve("user.crt"));
    Files.copy(issued.key().orElseThrow(), folder.resolve("user.key"));

    Admin.create(clientProperties()).close();
    Files.writeString(folder.resolve("user.key"), "none");
    Properties wrong = clientProperties();
    assertThatThrownBy(() -> Admin.create(wrong)).rootCause().hasMessageContaining("PRIVATE KEY");
  }

  private Properties clientProperties() throws IOException {
    String text =
        manifests
            .one("ConfigMap", "-kafka-clients")
            .at("/data/client.properties")
            .asText()
            .replace("/etc/dynims/kafka", folder.toString());
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    properties.setProperty("bootstrap.servers", "127.0.0.1:9");
    return properties;
  }

  @Test
  void containersWithRenewedCertificatesAreRestarted() {
    for (JsonNode workload : manifests.workloads()) {
      for (JsonNode container : Manifests.containers(workload)) {
        boolean hasThem =
            Manifests.stream(container.path("volumeMounts"))
                .anyMatch(mount -> mount.path("name").asText().equals("kafka"));
        // An init container ends before they can change.
        boolean runs = !container.path("name").asText().equals("render-collectd-conf");
        assertThat(container.has("lifecycle"))
            .as(container.path("name").asText())
            .isEqualTo(hasThem && runs);
        if (hasThem && runs) {
          assertThat(container.at("/livenessProbe/exec/command/2").asText())
              .startsWith(
                  "[ \"$(readlink /etc/dynims/kafka/..data)\" ="
                      + " \"$(cat /tmp/kafka-credentials)\" ]");
        }
      }
    }
  }

  @Test
  void theProbeTellsARenewalFromNone() throws Exception {
    JsonNode controller =
        Manifests.container(manifests.one("Deployment", "-controller"), "controller");
    String start = command(controller.at("/lifecycle/postStart/exec/command"));
    String probe = command(controller.at("/livenessProbe/exec/command"));
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_01"));
    Files.createDirectory(folder.resolve("bin"));
    Path healthcheck = Files.writeString(folder.resolve("bin/healthcheck"), "#!/bin/sh\n");
    assertThat(healthcheck.toFile().setExecutable(true)).isTrue();

    assertThat(run(start)).isZero();
    assertThat(run(probe)).isZero();
    Files.delete(folder.resolve("..data"));
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_02"));
    assertThat(run(probe)).isNotZero();
    assertThat(run(start)).as("a restart").isZero();
    assertThat(run(probe)).isZero();
    Files.writeString(healthcheck, "#!/bin/sh\nexit 1\n");
    assertThat(run(probe)).as("the program hangs").isNotZero();
  }

  private String command(JsonNode command) {
    assertThat(Manifests.texts(command)).startsWith("bash", "-c").hasSize(3);
    return command
        .get(2)
        .asText()
        .replace("/etc/dynims/kafka", folder.toString())
        .replace("/tmp/kafka-credentials", folder.resolve("started").toString());
  }

  private int run(String command) throws Exception {
    ProcessBuilder process = new ProcessBuilder("bash", "-c", command);
    process
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    return process.start().waitFor();
  }
}
