package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcesTest {

  private static final String POD =
      """
      metadata: {name: agent-1, namespace: dynims, labels: {dynims.io/store: Alluxio}}
      spec:
        nodeName: n1
        containers:
          - {name: collectd}
          - {name: adapter, ports: [{name: metrics, containerPort: 9}, {name: tier-api, containerPort: 7070}]}
      status: {phase: Running, podIP: 127.66.0.9}
      """;

  private static final String ANNOUNCING =
      """
      metadata:
        {name: sort-1, namespace: jobs, uid: u-2, creationTimestamp: "2026-11-21T12:00:00Z", labels: {dynims.io/hint: 20Gi}}
      spec: {nodeName: n1}
      status:
        phase: Pending
        conditions: [{type: Initialized}, {type: PodScheduled, lastTransitionTime: "2026-11-21T12:00:05Z"}]
      """;

  private static final String TIER =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata:
        name: alluxio
        namespace: dynims
        uid: u-1
        generation: 7
        creationTimestamp: "2026-11-21T12:00:00Z"
        annotations: {dynims.io/paused: "true"}
      spec: {mode: Recommend, store: {type: Custom}, nodes: {selector: {}}, capacity: {max: 1Gi}}
      status:
        observedGeneration: 6
        mode: Enforce
        nodes: {total: 3, ready: 2, stale: 1, later: 9}
        conditions: [{type: Ready, status: "False", reason: NodesNotReady, message: m}]
      """;

  private final KubernetesSerialization serialization = new KubernetesSerialization();

  @Test
  void anAgentHasItsNodeItsStoreAndItsAddress() {
    assertThat(agent(POD))
        .isEqualTo(new AgentPod("n1", "Alluxio", URI.create("http://127.66.0.9:7070")));
  }

  @Test
  void anIpv6AddressIsInBrackets() {
    assertThat(agent(POD.replace("127.66.0.9", "\"fd00::9\"")).adapter())
        .isEqualTo(URI.create("http://[fd00::9]:7070"));
  }

  @Test
  void anAgentsLabelNamesAnotherStore() {
    assertThat(agent(POD.replace("store: Alluxio", "store: Custom")).store()).isEqualTo("Custom");
  }

  @ParameterizedTest
  @ValueSource(strings = {", labels: {dynims.io/store: Alluxio}", "dynims.io/store: Alluxio"})
  void withoutALabelTheStoreIsAlluxio(String part) {
    assertThat(agent(POD.replace(part, "")).store()).isEqualTo("Alluxio");
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nodeName: n1 | ``
          name: tier-api, | ``
          , ports: [{name: metrics, containerPort: 9}, {name: tier-api, containerPort: 7070}] | ``
          phase: Running | phase: Failed
          phase: Running | phase: Succeeded
          """)
  void aPodThatIsNoAgentOfANodeIsIgnored(String part, String without) {
    assertThat(POD).contains(part);

    assertThat(agent(POD.replace(part, without))).isNull();
  }

  @Test
  void anAgentThatTerminatesIsThereAndHasNoAddress() {
    String terminating =
        POD.replace("name: agent-1,", "name: agent-1, deletionTimestamp: '2026-11-21T12:00:00Z',");
    assertThat(terminating).isNotEqualTo(POD);

    assertThat(agent(terminating)).isEqualTo(new AgentPod("n1", "Alluxio", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {", podIP: 127.66.0.9", "status: {phase: Running, podIP: 127.66.0.9}"})
  void anAgentThatStartsHasNoAddressYet(String part) {
    assertThat(POD).contains(part);

    assertThat(agent(POD.replace(part, ""))).isEqualTo(new AgentPod("n1", "Alluxio", null));
  }

  @Test
  void aPodAnnouncesWhatItIsAboutToTakeFromWhenItHasItsNode() {
    long startMillis = Instant.parse("2026-11-21T12:00:05Z").toEpochMilli();

    assertThat(Resources.hint(pod(ANNOUNCING)))
        .isEqualTo(
            new PodHint(
                "n1",
                "jobs/sort-1",
                new Hint("u-2", 20L << 30, startMillis, startMillis + 600_000)));
    assertThat(Resources.hint(pod(ANNOUNCING.replaceFirst("conditions.*\n", ""))).hint())
        .as("as a kubelet that assigns pods itself")
        .isEqualTo(new Hint("u-2", 20L << 30, startMillis - 5_000, startMillis + 595_000));
    assertThat(Resources.hint(pod(ANNOUNCING.replace("20Gi", "1.1Gi"))).hint().bytes())
        .isEqualTo(1_181_116_007);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nodeName: n1 | schedulerName: s
          dynims.io/hint: 20Gi | app: sort
          dynims.io/hint: 20Gi | dynims.io/hint: much
          dynims.io/hint: 20Gi | dynims.io/hint: "0"
          name: sort-1, | name: sort-1, deletionTimestamp: "2026-11-21T12:10:00Z",
          phase: Pending | phase: Succeeded
          """)
  void aPodWithoutANodeWithoutASizeOrThatHasEndedAnnouncesNothing(String part, String other) {
    assertThat(ANNOUNCING).contains(part);

    assertThat(Resources.hint(pod(ANNOUNCING.replace(part, other)))).isNull();
  }

  @Test
  void anAnnotationSaysThatAnAgentIsCalledOverHttps() {
    String annotated =
        POD.replace(
            "name: agent-1,", "name: agent-1, annotations: {dynims.io/adapter-scheme: https},");

    assertThat(agent(annotated).adapter()).isEqualTo(URI.create("https://127.66.0.9:7070"));
    assertThat(agent(POD).adapter()).isEqualTo(URI.create("http://127.66.0.9:7070"));
  }

  @Test
  void aNodeHasItsLabelsAndTheAdapterOfItsAnnotation() {
    Node node =
        serialization.unmarshal(
            """
            metadata:
              name: n1
              labels: {zone: a}
              annotations: {dynims.io/adapter: "http://127.0.0.1:7071"}
            """,
            Node.class);

    assertThat(Resources.node(node))
        .isEqualTo(
            new ClusterNode(
                "n1", Map.of("zone", "a"), Map.of("", URI.create("http://127.0.0.1:7071")), false));
  }

  @Test
  void anAnnotationMayNameTheStoreOfItsAdapter() {
    Node node =
        serialization.unmarshal(
            """
            metadata:
              name: n1
              annotations:
                dynims.io/adapter: "http://127.0.0.1:7071"
                dynims.io/adapter.Redis: "http://127.0.0.1:7072"
                dynims.io/adapter-scheme: https
            """,
            Node.class);

    assertThat(Resources.node(node).adapter("Redis"))
        .isEqualTo(URI.create("http://127.0.0.1:7072"));
    assertThat(Resources.node(node).adapter("Alluxio"))
        .isEqualTo(URI.create("http://127.0.0.1:7071"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:7071", "http://h:1/v1/tier", "ftp://h:1", "", "%"})
  void anInvalidAddressInTheAnnotationIsIgnored(String annotation) {
    Node node =
        serialization.unmarshal(
            "metadata: {name: n1, annotations: {dynims.io/adapter: \"" + annotation + "\"}}",
            Node.class);

    assertThat(Resources.node(node)).isEqualTo(new ClusterNode("n1", Map.of(), Map.of(), false));
  }

  @Test
  void aDocumentHasTheContentOfAPolicyFile() {
    TierDocument document = document(TIER);

    assertThat(document.id()).isEqualTo("dynims/alluxio");
    assertThat(document.uid()).isEqualTo("u-1");
    assertThat(document.generation()).isEqualTo(7);
    assertThat(document.created()).isEqualTo(Instant.parse("2026-11-21T12:00:00Z"));
    assertThat(document.content()).containsOnlyKeys("apiVersion", "kind", "metadata", "spec");
    assertThat(document.store()).isEqualTo("Custom");
    assertThat(document.mode()).isEqualTo(Mode.Recommend);
    assertThat(document.paused()).isTrue();
    assertThat(document.content().get("metadata"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("namespace", "dynims");
    assertThat(document.selector().matches(Map.of())).isTrue();
    assertThat(document.status().mode()).isEqualTo("Enforce");
    assertThat(document.status().nodes().ready()).isEqualTo(2);
    assertThat(document.status().conditions()).hasSize(1);
  }

  @Test
  void missingFieldsHaveTheirDefaults() {
    TierDocument document =
        document(
            TIER.substring(0, TIER.indexOf("status:"))
                .replace("mode: Recommend, store: {type: Custom}, ", "")
                .replace("  annotations: {dynims.io/paused: \"true\"}\n", ""));

    assertThat(document.mode()).isEqualTo(Mode.Recommend);
    assertThat(document.store()).isEqualTo("Alluxio");
    assertThat(document.paused()).isFalse();
    assertThat(document.status()).isNull();
  }

  @Test
  void onlyTheValueTruePauses() {
    assertThat(document(TIER.replace("\"true\"", "\"yes\"")).paused()).isFalse();
  }

  @Test
  void aDocumentThatIsBeingDeletedIsIgnored() {
    assertThat(document(TIER.replace("uid: u-1", "deletionTimestamp: \"2026-11-21T12:00:01Z\"")))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"status: Ready", "status: {nodes: many}", "status: {conditions: none}"})
  void anUnreadableStatusIsIgnored(String status) {
    TierDocument document = document(TIER.substring(0, TIER.indexOf("status:")) + status);

    assertThat(document.status()).isNull();
    assertThat(document.mode()).isEqualTo(Mode.Recommend);
  }

  @Test
  void aDocumentWithoutASpecIsLeftToThePolicyReader() {
    TierDocument document = document(TIER.substring(0, TIER.indexOf("spec:")));

    assertThat(document.store()).isEqualTo("Alluxio");
    assertThat(document.content()).containsEntry("spec", null);
  }

  private AgentPod agent(String yaml) {
    return Resources.agent(pod(yaml));
  }

  private Pod pod(String yaml) {
    return serialization.unmarshal(yaml, Pod.class);
  }

  private TierDocument document(String yaml) {
    return Resources.document(serialization.unmarshal(yaml, GenericKubernetesResource.class));
  }
}
