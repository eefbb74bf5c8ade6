package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodesReaderTest {

  private static final String DOCUMENT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        nodes: {%s}
        capacity: {max: 60Gi}
      """;

  private static final String HOSTS = "hosts: \"node[01-02]\", adapter: \"http://{name}:7070\"";

  private final PolicyRegistry registry = new PolicyRegistry();

  @Test
  void hostsHaveTheAdaptersOfTheTemplate() {
    put("a.yaml", HOSTS);

    assertThat(registry.read().errors()).isEmpty();
    assertThat(registry.read().tiers())
        .extracting(tier -> tier.key().node() + " " + tier.adapter())
        .containsExactly("node01 http://node01:7070", "node02 http://node02:7070");
  }

  @Test
  void anotherHostChangesNothingForTheOthers() {
    put("a.yaml", HOSTS);
    NodePolicySpec before = registry.read().tiers().get(0);
    put("a.yaml", HOSTS.replace("02", "03"));
    NodePolicySpec after = registry.read().tiers().get(0);

    assertThat(registry.read().tiers()).hasSize(3);
    assertThat(after).isEqualTo(before).hasSameHashCodeAs(before);
    put("a.yaml", HOSTS.replace("02", "03").replace("7070", "7071"));
    assertThat(registry.read().tiers().get(0)).as("another adapter").isNotEqualTo(before);
    put("a.yaml", HOSTS + "}\n  law: {gain: 1");
    assertThat(registry.read().errors()).isEmpty();
    assertThat(registry.read().tiers().get(0)).as("another gain").isNotEqualTo(before);
  }

  @Test
  void pausingANodeChangesNothingForTheOthers() {
    String paused = "metadata: {name: alluxio, annotations: {dynims.io/paused-nodes: node02}}";
    put("a.yaml", HOSTS);
    List<NodePolicySpec> before = registry.read().tiers();
    registry.put(
        "a.yaml",
        PolicyText.documents(
            DOCUMENT.formatted(HOSTS).replace("metadata: {name: alluxio}", paused)));

    assertThat(registry.read().tiers().get(0)).isEqualTo(before.get(0));
    assertThat(registry.read().tiers().get(1)).isNotEqualTo(before.get(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"list:", "list: ~, selector: null"})
  void anEmptyFieldIsAsIfItWereAbsent(String empty) {
    put("a.yaml", HOSTS);
    PolicySet absent = registry.read();
    put("a.yaml", HOSTS + ", " + empty);
    assertThat(registry.read()).isEqualTo(absent);

    put("a.yaml", "list: [{name: a, adapter: 'http://a:1'}], hosts: ~, adapter: ~");
    assertThat(registry.read().errors()).isEmpty();
  }

  @Test
  void hostsMayStandBesideAList() {
    put("a.yaml", HOSTS + ", list: [{name: login, adapter: \"https://10.0.0.1:7071\"}]");

    assertThat(registry.read().errors()).isEmpty();
    assertThat(registry.read().tiers())
        .extracting(tier -> tier.key().node() + " " + tier.adapter())
        .containsExactly(
            "login https://10.0.0.1:7071",
            "node01 http://node01:7070",
            "node02 http://node02:7070");
  }

  @ParameterizedTest(name = "{index}: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "adapter: 'http://{name}:1' | spec.nodes.list | is required",
        "hosts: 'n[1-2]' | spec.nodes.adapter | is required",
        "hosts: 'n[1-2]', adapter: 'http://n1:1' | spec.nodes.adapter | 'http://n1:1' does not"
            + " contain {name}",
        "hosts: 'n[1-2]', adapter: '{name}:1' | spec.nodes.adapter | 'n1:1' is not an address",
        "hosts: 'n[1-', adapter: 'http://{name}:1' | spec.nodes.hosts | at character 5: a number",
        "hosts: 'n/[1-2]', adapter: 'http://{name}:1' | spec.nodes.hosts | 'n/1' is not a name",
        "hosts: 'n1,n[1-2]', adapter: 'http://{name}:1' | spec.nodes.hosts | 'n1' is there twice",
        "hosts: [n1], adapter: 'http://{name}:1' | spec.nodes.hosts | a list is not a single value",
        "host: n1 | spec.nodes.host | is not a field; known here are adapter, hosts, list",
      },
      quoteCharacter = '`')
  void whatIsWrongIsRefused(String nodes, String field, String reason) {
    put("a.yaml", nodes);

    assertThat(registry.read().tiers()).isEmpty();
    assertThat(registry.read().errors())
        .filteredOn(error -> error.field().equals(field))
        .singleElement()
        .satisfies(error -> assertThat(error.reason()).contains(reason));
  }

  @Test
  void aHostThatAnotherDocumentHasIsRefused() {
    put("a.yaml", HOSTS);
    put("b.yaml", HOSTS.replace("node[01-02]", "node[02-03]"));

    assertThat(registry.read().tiers()).hasSize(3);
    assertThat(registry.read().errors())
        .extracting(PolicyError::toString)
        .containsExactly(
            "b.yaml, document 1 (alluxio), spec.nodes.hosts: tier 'alluxio' of node 'node02' is"
                + " already claimed by a.yaml, document 1 (alluxio)");
  }

  private void put(String file, String nodes) {
    registry.put(file, PolicyText.documents(DOCUMENT.formatted(nodes)));
  }
}
