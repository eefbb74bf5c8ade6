package io.dynims.operator;

import static io.dynims.operator.TestCluster.ADAPTER;
import static io.dynims.operator.TestCluster.CREATED;
import static io.dynims.operator.TestCluster.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.policy.ClaimedNode;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class ClaimTest {

  private static final String ALL = "{}";

  private final Map<String, NodeSelector> selectors = new HashMap<>();
  private List<ClusterNode> nodes = List.of(node("n1", "a"), node("n2", "b"));

  @Test
  void everySelectedNodeIsClaimedWithItsStoresAdapter() {
    Claim claim = claims(document("a", CREATED, "{matchLabels: {zone: a}}")).get(0);

    assertThat(claim.nodes()).containsExactly(new ClaimedNode("n1", ADAPTER));
    assertThat(claim.conflicts()).isEmpty();
    assertThat(claim.error()).isNull();
  }

  @Test
  void aNodeWithoutAnAdapterIsClaimedToo() {
    List<Claim> claims =
        Claim.of(
            List.of(document("a", CREATED, ALL)),
            nodes,
            everywhere((node, store) -> null),
            new HashMap<>());

    assertThat(claims.get(0).nodes()).extracting(ClaimedNode::adapter).containsOnlyNulls();
    assertThat(claims.get(0).nodes()).hasSize(2);
  }

  @Test
  void theOlderOfTwoDocumentsGetsTheNodeAndTheYoungerAConflict() {
    List<Claim> claims =
        claims(
            document("a", CREATED.plusSeconds(1), ALL),
            document("b", CREATED, "{matchLabels: {zone: b}}"));

    assertThat(claims).extracting(claim -> claim.document().name()).containsExactly("b", "a");
    assertThat(names(claims.get(0))).containsExactly("n2");
    assertThat(names(claims.get(1))).containsExactly("n1");
    assertThat(claims.get(1).conflicts()).containsExactly(Map.entry("n2", "default/b"));
  }

  @Test
  void documentsOfTheSameSecondAreOrderedByNamespaceAndName() {
    List<Claim> claims = claims(document("b", CREATED, ALL), document("a", CREATED, ALL));

    assertThat(claims.get(0).document().name()).isEqualTo("a");
    assertThat(claims.get(1).nodes()).isEmpty();
    assertThat(claims.get(1).conflicts()).containsOnlyKeys("n1", "n2");
  }

  @Test
  void aDocumentThatSelectsNothingHasNoNodesAndNoConflict() {
    Claim claim = claims(document("a", CREATED, "{matchLabels: {zone: c}}")).get(0);

    assertThat(claim.nodes()).isEmpty();
    assertThat(claim.conflicts()).isEmpty();
  }

  @Test
  void anInvalidSelectorDoesNotAffectOtherDocuments() {
    List<Claim> claims =
        claims(document("a", CREATED, "none"), document("b", CREATED.plusSeconds(1), ALL));

    assertThat(claims.get(0).nodes()).isEmpty();
    assertThat(claims.get(0).error()).contains("spec.nodes.selector");
    assertThat(names(claims.get(1))).containsExactly("n1", "n2");
  }

  @Test
  void aDocumentWhoseSelectorBecomesInvalidKeepsItsLastSelector() {
    claims(document("a", CREATED, "{matchLabels: {zone: a}}"));
    nodes = List.of(node("n2", "b"), node("n3", "a"));

    List<Claim> claims =
        claims(document("a", CREATED, "none"), document("b", CREATED.plusSeconds(1), ALL));

    assertThat(claims.get(0).error()).isNotNull();
    assertThat(names(claims.get(0))).containsExactly("n3");
    assertThat(names(claims.get(1))).containsExactly("n2");
  }

  @Test
  void eachStoreOfANodeHasAnOwnerOfItsOwn() {
    List<Claim> claims =
        claims(ofStore("a", "Alluxio"), ofStore("b", "Redis"), ofStore("c", "Redis"));

    assertThat(names(claims.get(0))).containsExactly("n1", "n2");
    assertThat(claims.get(1).nodes())
        .containsExactly(
            new ClaimedNode("n1", adapter("Redis")), new ClaimedNode("n2", adapter("Redis")));
    assertThat(claims.get(2).nodes()).isEmpty();
    assertThat(claims.get(2).conflicts())
        .containsExactly(Map.entry("n1", "default/b"), Map.entry("n2", "default/b"));
  }

  @Test
  void noTwoDocumentsShareAnAdapter() {
    List<Claim> claims =
        Claim.of(
            List.of(ofStore("a", "Alluxio"), ofStore("b", "Redis")),
            nodes,
            everywhere((node, store) -> ADAPTER),
            selectors);

    assertThat(claims.get(1).conflicts()).containsOnlyKeys("n1", "n2");
  }

  private List<Claim> claims(TierDocument... documents) {
    return Claim.of(
        List.of(documents), nodes, everywhere((node, store) -> adapter(store)), selectors);
  }

  private static Claim.Adapters everywhere(BiFunction<ClusterNode, String, URI> address) {
    return new Claim.Adapters() {
      @Override
      public boolean reach(ClusterNode node, String store) {
        return true;
      }

      @Override
      public URI find(ClusterNode node, String store) {
        return address.apply(node, store);
      }
    };
  }

  private static URI adapter(String store) {
    return store.equals("Alluxio") ? ADAPTER : URI.create("http://127.0.0.1:7071");
  }

  private static TierDocument ofStore(String name, String store) {
    String content = "spec: {store: {type: %s}, nodes: {selector: {}}}".formatted(store);
    return document("default", name, CREATED, content, null);
  }

  private static List<String> names(Claim claim) {
    return claim.nodes().stream().map(ClaimedNode::name).toList();
  }

  private static ClusterNode node(String name, String zone) {
    return new ClusterNode(name, Map.of("zone", zone), Map.of(), false);
  }
}
