package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What may reach the pods, and what they may reach. */
class NetworkPolicyTest {

  private static final String KIND = "NetworkPolicy";

  @TempDir Path scratch;

  @ParameterizedTest
  @MethodSource("io.dynims.charts.Chart#variants")
  void nothingReachesAPodUnlessSaid(String variant) throws Exception {
    Manifests manifests = new Chart().variant(variant).renderWithTest(scratch);
    JsonNode all = manifests.one(KIND, "dynims");

    assertThat(Manifests.texts(all.at("/spec/policyTypes"))).containsExactly("Ingress", "Egress");
    assertThat(all.at("/spec").has("ingress")).isFalse();
    for (JsonNode workload : manifests.workloads()) {
      JsonNode labels = Manifests.podTemplate(workload).at("/metadata/labels");
      all.at("/spec/podSelector/matchLabels")
          .properties()
          .forEach(
              label ->
                  assertThat(labels.get(label.getKey()))
                      .as(Manifests.name(workload))
                      .isEqualTo(label.getValue()));
    }
  }

  @Test
  void onlyTheControllerReachesAnAdapter() {
    JsonNode agent = new Chart().render().one(KIND, "-agent");

    assertThat(agent.at("/spec/ingress")).hasSize(1);
    assertThat(agent.at("/spec/ingress/0/from")).hasSize(1);
    assertThat(
            agent
                .at("/spec/ingress/0/from/0/podSelector/matchLabels/app.kubernetes.io~1component")
                .asText())
        .isEqualTo("controller");
    assertThat(agent.at("/spec/ingress/0/ports/0/port").asText()).isEqualTo("tier-api");
  }

  @Test
  void podsReachTheBrokersPortsWhereverTheBrokersAre() {
    JsonNode all =
        new Chart()
            .set("kafka.bootstrapServers", "a:9093,b:9094,c:9093")
            .render()
            .one(KIND, "dynims");

    assertThat(all.at("/spec/egress/2/ports").findValuesAsText("port"))
        .containsExactly("9093", "9094");
  }

  @Test
  void podsReachOnlyWhatIsNamedIfItIs() {
    Chart chart = new Chart().variant("kafka-tls-sasl");
    for (String name : List.of("dns", "kafka", "apiServer", "alluxio")) {
      chart.set("networkPolicy.egress." + name + "[0].ipBlock.cidr", name);
    }
    Manifests manifests = chart.render();

    assertThat(manifests.one(KIND, "dynims").at("/spec/egress"))
        .extracting(rule -> rule.at("/to/0/ipBlock/cidr").asText())
        .containsExactly("dns", "", "kafka");
    assertThat(manifests.one(KIND, "-controller").at("/spec/egress/0/to/0/ipBlock/cidr").asText())
        .isEqualTo("apiServer");
    assertThat(manifests.one(KIND, "-agent").at("/spec/egress/0/to/0/ipBlock/cidr").asText())
        .isEqualTo("alluxio");
    assertThat(
            new Chart()
                .variant("flink-operator")
                .set("networkPolicy.egress.apiServer[0].ipBlock.cidr", "apiServer")
                .render()
                .one(KIND, "-flink-jobmanager")
                .at("/spec/egress/0/to/0/ipBlock/cidr")
                .asText())
        .isEqualTo("apiServer");
  }

  @Test
  void agentsReachTheWorkerAndTheMaster() {
    JsonNode agent = new Chart().set("alluxio.masterAddress", "m:1").render().one(KIND, "-agent");

    assertThat(agent.at("/spec/egress/0/ports").findValuesAsText("port"))
        .containsExactly("29999", "30000", "1");
  }

  @Test
  void agentsReachEachOfSeveralMastersAndAlluxios() {
    JsonNode agent =
        new Chart()
            .variant("several-alluxio")
            .set("alluxio.runtimes[0].workerAddress", "$(HOST_IP):29998")
            .set("alluxio.runtimes[1].masterAddresses[2]", "train-master-2:19997")
            .render()
            .one(KIND, "-agent");

    assertThat(agent.at("/spec/egress/0/ports").findValuesAsText("port"))
        .containsExactly("29998", "30000", "19998", "29999", "19997");
  }

  @Test
  void flinksOperatorReachesTheJobManagerWhichReachesTheApiServer() {
    Manifests manifests = new Chart().variant("flink-operator").render();
    JsonNode jobManager = manifests.one(KIND, "-flink-jobmanager");
    JsonNode taskManager = manifests.one(KIND, "-flink-taskmanager");

    assertThat(jobManager.at("/spec/egress/0/ports").findValuesAsText("port"))
        .containsExactly("443", "6443");
    assertThat(jobManager.at("/spec/ingress/0/ports").findValuesAsText("port"))
        .containsExactly("6123", "6124");
    assertThat(jobManager.at("/spec/ingress/1/ports").findValuesAsText("port"))
        .containsExactly("8081");
    assertThat(
            jobManager
                .at("/spec/ingress/1/from/0/podSelector/matchLabels/app.kubernetes.io~1name")
                .asText())
        .isEqualTo("flink-kubernetes-operator");
    assertThat(taskManager.at("/spec/ingress/0/ports").findValuesAsText("port"))
        .containsExactly("6122", "6121");
  }

  @Test
  void agentsReachTheWorkersWebPortOnlyWhereItIsAsked() {
    JsonNode agent = new Chart().set("alluxio.workerWebPort", 0).render().one(KIND, "-agent");

    assertThat(agent.at("/spec/egress/0/ports").findValuesAsText("port"))
        .doesNotContain("30000", "0");
  }

  @Test
  void namedClientsReachTheController() {
    JsonNode from =
        new Chart()
            .variant("monitoring")
            .render()
            .one(KIND, "-controller")
            .at("/spec/ingress/0/from");

    assertThat(from).hasSize(2);
    assertThat(from.get(1).has("namespaceSelector")).isTrue();
  }

  @Test
  void namedScrapersReachAgentsAndFlinkWhileTheseAreScraped() {
    Manifests scraped = new Chart().variant("monitoring").render();
    Manifests notScraped =
        new Chart().variant("monitoring").set("monitoring.podMonitor.enabled", false).render();

    for (String pods : new String[] {"-agent", "-flink-jobmanager", "-flink-taskmanager"}) {
      String scraper = "kubernetes.io/metadata.name";
      assertThat(scraped.one(KIND, pods).at("/spec/ingress").findValues(scraper)).hasSize(1);
      assertThat(notScraped.one(KIND, pods).at("/spec/ingress").findValues(scraper)).isEmpty();
    }
    assertThat(scraped.one(KIND, "-flink-taskmanager").at("/spec/ingress/1/ports"))
        .hasSize(1)
        .allMatch(port -> port.path("port").asText().equals("metrics"));
  }

  @Test
  void canBeLeftOut() {
    assertThat(new Chart().set("networkPolicy.enabled", false).render().ofKind(KIND)).isEmpty();
  }
}
