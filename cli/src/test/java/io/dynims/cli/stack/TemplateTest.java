package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.runtime.config.Config;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

  private static final StackHome HOME =
      new StackHome(Path.of("/opt/dynims"), Path.of("/srv/dynims"));

  @ParameterizedTest
  @ValueSource(strings = {"kafka.properties", "alluxio-site.properties", "redis.conf", "tier.yaml"})
  void fillsEveryPlaceholder(String name) throws Exception {
    StackSettings settings =
        Stacks.settings(
            HOME,
            "kafka.port=19092",
            "adapter.port=17070",
            "tier.max=1Gi",
            "policy.memory.total=8Gi");

    assertThat(new Template(HOME, settings).render(name))
        .isEqualTo(Config.resource(TemplateTest.class, "golden-" + name));
  }

  @Test
  void thePolicyNamesTheStore() throws Exception {
    String policy =
        new Template(HOME, Stacks.settings(HOME, "store=memcached")).render("tier.yaml");

    assertThat(policy)
        .contains("metadata: {name: memcached}")
        .contains("store: {type: Memcached}")
        .contains("capacity: {min: 16777216, max: ");
  }

  @Test
  void thePolicyOfACacheUnderMpiIoGoesDownToNothing() throws Exception {
    String policy = new Template(HOME, Stacks.settings(HOME, "store=mpiio")).render("tier.yaml");

    assertThat(policy)
        .contains("metadata: {name: mpiio}")
        .contains("store: {type: MpiIo}")
        .contains("capacity: {min: 0, max: ");
  }

  @Test
  void withTlsTheBrokerAsksForCertificatesAndTheAdapterIsHttps() throws Exception {
    Template template = new Template(HOME, Stacks.settings(HOME, "tls.enabled=true"));

    assertThat(template.render("kafka.properties"))
        .contains("listener.security.protocol.map=BROKER:SSL,CONTROLLER:PLAINTEXT\n")
        .contains("ssl.client.auth=required\n")
        .contains("ssl.truststore.location=/srv/dynims/conf/tls/ca.pem\n");
    assertThat(template.render("tier.yaml")).contains("adapter: \"https://127.0.0.1:");
  }

  @Test
  void leavesOutTheMemoryThatIsNotSet() throws Exception {
    assertThat(new Template(HOME, Stacks.settings(HOME)).render("tier.yaml"))
        .doesNotContain("memory:")
        .endsWith("staleMetrics: {after: 2000ms}\n");
  }

  @Test
  void namesTheLawAndAGainThatIsSet() throws Exception {
    StackSettings settings = Stacks.settings(HOME, "policy.law=Feedback", "policy.gain=1.5");

    assertThat(new Template(HOME, settings).render("tier.yaml"))
        .contains("law: {type: Feedback, threshold: 0.95, gain: 1.5, interval: 100ms}");
  }
}
