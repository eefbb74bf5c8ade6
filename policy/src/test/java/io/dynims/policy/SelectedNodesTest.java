package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectedNodesTest {

  private static final String SOURCE = "default/alluxio";
  private static final URI ADAPTER = URI.create("http://127.0.0.1:7070");

  private static final String DOCUMENT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio, namespace: default}
      spec:
        nodes: {selector: {matchLabels: {zone: a}}}
        capacity: {max: 1Gi}
        law: {gain: 0.5}
      """;

  private final PolicyRegistry book = new PolicyRegistry();

  @Test
  void theNodesAreThoseThatWereSelected() {
    put(DOCUMENT, "n1", "n2");
    assertThat(nodes()).containsExactly("n1/alluxio", "n2/alluxio");

    put(DOCUMENT, "n2", "n3");
    assertThat(nodes()).containsExactly("n2/alluxio", "n3/alluxio");
    assertThat(book.read().errors()).isEmpty();
  }

  @Test
  void aNodeWithoutAnAdapterIsTaken() {
    book.put(SOURCE, document(DOCUMENT), List.of(new ClaimedNode("n1", null)));

    assertThat(book.read().tiers().get(0).adapter()).isNull();
    assertThat(book.read().tiers().get(0).policy().node()).isEqualTo("n1");
  }

  @Test
  void theLastGoodDocumentFollowsTheNodes() {
    put(DOCUMENT, "n1");

    put(DOCUMENT.replace("0.5", "9"), "n2", "n3");

    assertThat(nodes()).containsExactly("n2/alluxio", "n3/alluxio");
    assertThat(book.read().tiers().get(0).policy().gain()).isEqualTo(0.5);
    assertThat(book.read().errors())
        .extracting(PolicyError::field)
        .containsExactly("spec.law.gain");
  }

  @Test
  void aDocumentWhoseSelectorCannotBeReadFollowsTheNodesThatItStillHas() {
    put(DOCUMENT, "n1", "n2");

    book.refuse(SOURCE, "spec.nodes.selector: is required", nodes("n2", "n3"));

    assertThat(nodes()).containsExactly("n2/alluxio", "n3/alluxio");
    assertThat(book.read().errors())
        .extracting(PolicyError::reason)
        .containsExactly("spec.nodes.selector: is required");
  }

  @Test
  void aDocumentThatWasNeverGoodHasNoTiers() {
    book.refuse(SOURCE, "spec.nodes.selector: is required", nodes("n1"));

    assertThat(book.read().tiers()).isEmpty();
    assertThat(book.read().errors()).hasSize(1);
  }

  @Test
  void ofTwoDocumentsOfOneNameInTwoNamespacesEachHasItsNodes() {
    put(DOCUMENT, "n1");
    book.put("other/alluxio", document(DOCUMENT), nodes("n2"));

    assertThat(nodes()).containsExactlyInAnyOrder("n1/alluxio", "n2/alluxio");
    assertThat(book.read().errors()).isEmpty();
  }

  @Test
  void aSelectorThatMatchesNothingIsAVacancyAndADeletedDocumentIsNone() {
    put(DOCUMENT, "n1");
    assertThat(book.read().vacancy()).isEqualTo(Vacancy.NONE);

    put(DOCUMENT);
    assertThat(book.read().vacancy()).isEqualTo(new Vacancy(false, Set.of("alluxio")));

    book.remove(SOURCE);
    assertThat(book.read().vacancy()).isEqualTo(Vacancy.NONE);
  }

  @Test
  void aListOfNodesIsNoFieldInACluster() {
    put(DOCUMENT.replace("selector: {matchLabels: {zone: a}}", "list: []"), "n1");

    assertThat(book.read().errors())
        .extracting(PolicyError::toString)
        .containsExactly(
            "default/alluxio, document 1 (alluxio), spec.nodes.list: is not a field; known here are"
                + " selector");
  }

  @Test
  void aSelectorInAFileNeedsACluster() {
    book.put("a.yaml", PolicyText.documents(DOCUMENT));

    assertThat(book.read().errors())
        .extracting(PolicyError::toString)
        .containsExactly(
            "a.yaml, document 1 (alluxio), spec.nodes.selector: needs a cluster; a policy file names"
                + " its nodes in spec.nodes.list or .hosts");
  }

  @ParameterizedTest
  @CsvSource({"Release, Release", "Keep, Keep", "'', Release"})
  void thePolicySaysWhatBecomesOfTheTier(String written, OnDelete expected) {
    put(DOCUMENT + (written.isEmpty() ? "" : "  onDelete: " + written), "n1");

    assertThat(book.read().tiers().get(0).policy().onDelete()).isEqualTo(expected);
  }

  @Test
  void anythingElseOnDeleteIsRefused() {
    put(DOCUMENT + "  onDelete: Delete", "n1");

    assertThat(book.read().errors())
        .extracting(PolicyError::reason)
        .containsExactly("'Delete' is not one of Release, Keep");
  }

  @ParameterizedTest(name = "{0} {1} -> {2}")
  @CsvSource({
    "Enforce, \"true\", Recommend, true",
    "Enforce, true, Recommend, true",
    "Recommend, \"true\", Recommend, true",
    "Off, \"true\", Off, true",
    "Enforce, \"false\", Enforce, false"
  })
  void aPausedTierGoesNoFurtherThanToRecommend(
      String mode, String annotation, Mode inForce, boolean paused) {
    put(annotated(annotation).replace("spec:", "spec:\n  mode: " + mode), "n1");

    NodePolicySpec tier = book.read().tiers().get(0);
    assertThat(tier.mode()).isEqualTo(inForce);
    assertThat(tier.paused()).isEqualTo(paused);
    assertThat(tier.policy().mode()).isEqualTo(inForce);
  }

  @Test
  void singleNodesCanBePaused() {
    put(
        DOCUMENT
            .replace(
                "{name: alluxio,",
                "{annotations: {dynims.io/paused-nodes: \"n2, n7\"}, name: alluxio,")
            .replace("spec:", "spec:\n  mode: Enforce"),
        "n1",
        "n2");

    assertThat(book.read().errors()).isEmpty();
    assertThat(book.read().tiers())
        .extracting(NodePolicySpec::mode)
        .containsExactly(Mode.Enforce, Mode.Recommend);
    assertThat(book.read().tiers()).extracting(NodePolicySpec::paused).containsExactly(false, true);
    assertThat(book.read().tiers())
        .extracting(NodePolicySpec::documentMode)
        .containsOnly(Mode.Enforce);
  }

  @Test
  void aPausedNodeThatIsNoNameIsRefused() {
    put(
        DOCUMENT.replace(
            "{name: alluxio,", "{annotations: {dynims.io/paused-nodes: a b}, name: alluxio,"),
        "n1");

    assertThat(book.read().errors())
        .extracting(PolicyError::field)
        .containsExactly("metadata.annotations.dynims.io/paused-nodes");
  }

  @Test
  void aPolicyTellsItsMemoryTierOrItsFile() {
    put(DOCUMENT, "n1");
    NodePolicySpec inCluster = book.read().tiers().get(0);
    assertThat(inCluster.namespace()).isEqualTo("default");
    assertThat(inCluster.origin()).isEqualTo("alluxio");

    PolicyRegistry files = new PolicyRegistry();
    String listed =
        DOCUMENT.replace(
            "selector: {matchLabels: {zone: a}}", "list: [{name: n1, adapter: \"http://h:1\"}]");
    files.put("a.yaml", PolicyText.documents(listed));
    NodePolicySpec inFile = files.read().tiers().get(0);
    assertThat(inFile.namespace()).isNull();
    assertThat(inFile.origin()).isEqualTo("a.yaml, document 1 (alluxio)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "\"True\"", "1"})
  void aPauseThatIsNeitherTrueNorFalseIsRefusedAndTheLastGoodStays(String annotation) {
    put(DOCUMENT, "n1");
    put(annotated(annotation), "n1");

    assertThat(book.read().tiers()).extracting(NodePolicySpec::paused).containsExactly(false);
    assertThat(book.read().errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.field()).isEqualTo("metadata.annotations.dynims.io/paused");
              assertThat(error.reason()).endsWith("is not one of true, false");
            });
  }

  private static String annotated(String annotation) {
    return DOCUMENT.replace(
        "{name: alluxio,", "{annotations: {dynims.io/paused: " + annotation + "}, name: alluxio,");
  }

  private void put(String yaml, String... nodes) {
    book.put(SOURCE, document(yaml), nodes(nodes));
  }

  private List<String> nodes() {
    return book.read().tiers().stream().map(tier -> tier.key().toString()).toList();
  }

  private static List<ClaimedNode> nodes(String... names) {
    return Stream.of(names).map(name -> new ClaimedNode(name, ADAPTER)).toList();
  }

  private static Map<?, ?> document(String yaml) {
    return (Map<?, ?>) PolicyText.documents(yaml).get(0);
  }
}
