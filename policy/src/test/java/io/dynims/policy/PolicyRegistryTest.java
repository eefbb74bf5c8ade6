package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.SharePolicy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyRegistryTest {

  private static final long GIB = 1L << 30;

  private static final String FULL =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        mode: Recommend
        store: {type: Alluxio}
        nodes: {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]}
        capacity: {min: 1Gi, max: 60Gi}
        law: {type: Feedback, threshold: 0.9, gain: 0.25, interval: 200ms}
        memory: {total: 80Gi}
        staleMetrics: {after: 3s}
      """;

  private static final String SAME_LAW =
      "law: {type: Feedback, threshold: 0.9, gain: 0.25, interval: 200ms}";

  private static final String SHORT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: %s}
      spec:
        nodes: {list: [{name: %s, adapter: "http://127.0.0.1:7070"}]}
        capacity: {max: %s}
      """;

  private final PolicyRegistry book = new PolicyRegistry();

  @Test
  void everyFieldIsRead() {
    put("a.yaml", FULL);

    NodePolicySpec tier = book.read().tiers().get(0);
    assertThat(tier.adapter()).isEqualTo(URI.create("http://127.0.0.1:7070"));
    assertThat(tier.policy())
        .isEqualTo(
            new Policy(
                "node-1",
                "alluxio",
                Mode.Recommend,
                LawType.Feedback,
                0.9,
                0.25,
                GIB,
                null,
                60 * GIB,
                null,
                80 * GIB,
                200,
                3_000,
                OnDelete.Release));
    assertThat(book.read().errors()).isEmpty();
  }

  @Test
  void everyOptionalFieldHasItsDefault() {
    put("a.yaml", SHORT.formatted("alluxio", "node-1", "60Gi"));

    assertThat(book.read().tiers().get(0).policy())
        .isEqualTo(
            new Policy(
                "node-1",
                "alluxio",
                Mode.Recommend,
                LawType.Forecast,
                0.95,
                0.75,
                0L,
                null,
                60 * GIB,
                null,
                null,
                100,
                2_000,
                OnDelete.Release));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode: Recommend",
        "store: {type: Alluxio}",
        "type: Alluxio",
        "min: 1Gi",
        "law: {type: Feedback, threshold: 0.9, gain: 0.25, interval: 200ms}",
        "type: Feedback",
        "threshold: 0.9",
        "gain: 0.25",
        "interval: 200ms",
        "memory: {total: 80Gi}",
        "total: 80Gi",
        "staleMetrics: {after: 3s}",
        "after: 3s"
      })
  void anEmptyFieldIsAsIfItWereAbsent(String field) {
    String name = field.substring(0, field.indexOf(':'));
    put("a.yaml", FULL.replace(field + ", ", "").replace(", " + field, "").replace(field, ""));
    PolicySet absent = book.read();

    for (String empty : List.of(": ", ": ~", ": null")) {
      put("a.yaml", FULL.replace(field, name + empty));
      assertThat(book.read()).isEqualTo(absent);
    }
    assertThat(absent.errors()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"apiVersion", "kind", "metadata", "spec"})
  void anEmptyFieldThatIsRequiredIsMissing(String field) {
    put("a.yaml", FULL.replaceFirst(field + ":[^\n]*", field + ":").replaceAll("\n  .*", ""));

    assertThat(book.read().errors())
        .extracting(error -> error.field() + " " + error.reason())
        .contains(field.equals("metadata") ? "metadata.name is required" : field + " is required");
  }

  @Test
  void whatLooksLikeANumberStaysAsItIsWritten() {
    put("a.yaml", SHORT.formatted("1.10", "1e3", "1Gi"));

    assertThat(book.read().tiers())
        .extracting(tier -> tier.key().toString())
        .containsExactly("1e3/1.10");
  }

  @Test
  void aTierKnowsTheWeightsOfItsNode() {
    put("a.yaml", weighed("a", "7070", 1, "Enforce"));
    put("b.yaml", weighed("b", "7071", 3, "Enforce").replace("3}", "3, byHits: true}"));
    put("c.yaml", weighed("c", "7072", 5, "Recommend"));
    put("d.yaml", SHORT.formatted("d", "node-2", "1Gi"));

    assertThat(book.read().tiers())
        .extracting(tier -> tier.policy().share())
        .containsExactly(
            new SharePolicy(1, 4, false),
            new SharePolicy(3, 4, true),
            new SharePolicy(5, 9, false),
            SharePolicy.DEFAULT);
  }

  @Test
  void theFirstDocumentOfANodeSaysTheLawAndTheMemoryOfAllItsTiers() {
    put("a.yaml", FULL);
    put("b.yaml", onTwoNodes("law: {threshold: 0.8}", "memory: {total: 40Gi}"));

    Policy overruled = policies(book.read()).get("node-1/other");
    Policy first = policies(book.read()).get("node-1/alluxio");
    assertThat(overruled.law()).isEqualTo(LawType.Feedback);
    assertThat(overruled.threshold()).isEqualTo(0.9);
    assertThat(overruled.gain()).isEqualTo(0.25);
    assertThat(overruled.forecast()).isNull();
    assertThat(overruled.memoryBudgetBytes()).isEqualTo(first.memoryBudgetBytes());
    assertThat(overruled.intervalMillis()).isEqualTo(200);
    assertThat(overruled.staleAfterMillis()).as("its own").isEqualTo(2_000);
    Policy elsewhere = policies(book.read()).get("node-2/other");
    assertThat(elsewhere.threshold()).isEqualTo(0.8);
    assertThat(elsewhere.memoryBudgetBytes()).isEqualTo(40 * GIB);
    assertThat(book.read().errors())
        .extracting(PolicyError::toString)
        .containsExactly(
            "b.yaml, document 1 (other), spec.law: is not that of a.yaml, document 1 (alluxio),"
                + " which applies to all tiers of node 'node-1'");
  }

  @Test
  void anotherMemoryIsNamedWhereTheLawIsTheSame() {
    put("a.yaml", FULL);
    put("b.yaml", onTwoNodes(SAME_LAW, "memory: {total: 40Gi}"));

    assertThat(book.read().errors())
        .extracting(PolicyError::field)
        .containsExactly("spec.memory.total");
    assertThat(book.read().tiers())
        .filteredOn(NodePolicySpec::isOverruled)
        .extracting(tier -> tier.key().toString())
        .containsExactly("node-1/other");
  }

  @Test
  void whichDocumentIsFirstMayBeGiven() {
    put("a.yaml", FULL);
    put("b.yaml", onTwoNodes("law: {threshold: 0.8}", "mode: Enforce"));

    PolicySet set = book.read(List.of("b.yaml", "a.yaml"));

    assertThat(policies(set).get("node-1/alluxio").threshold()).isEqualTo(0.8);
    assertThat(set.errors()).extracting(PolicyError::file).containsExactly("a.yaml");
  }

  @Test
  void aTierFollowsItsOwnLawAgainOnceTheOtherOneIsGoneOrAgrees() {
    put("a.yaml", FULL);
    put("b.yaml", onTwoNodes("law: {threshold: 0.8}", "mode: Enforce"));
    NodePolicySpec overruled = book.read().tiers().get(1);

    book.remove("a.yaml");
    NodePolicySpec alone = book.read().tiers().get(0);
    assertThat(alone.policy().threshold()).isEqualTo(0.8);
    assertThat(alone).isNotEqualTo(overruled);
    assertThat(book.read().errors()).isEmpty();
  }

  @Test
  void aDocumentThatNamesNoMemoryFollowsTheFirstOne() {
    put("a.yaml", FULL);
    put("b.yaml", onTwoNodes(SAME_LAW, "mode: Enforce"));
    NodePolicySpec follows = book.read().tiers().get(1);
    assertThat(book.read().errors()).isEmpty();
    assertThat(follows.policy().memoryBudgetBytes()).isEqualTo(80 * GIB);

    put("a.yaml", FULL.replace("80Gi", "70Gi"));
    assertThat(book.read().tiers().get(1)).isNotEqualTo(follows);
    assertThat(book.read().tiers().get(1).policy().memoryBudgetBytes()).isEqualTo(70 * GIB);
  }

  @Test
  void metricsOfATierMayBeAtLeastAsOldAsTheIntervalOfItsNode() {
    put("a.yaml", FULL.replace("200ms", "5s").replace("3s", "6s"));
    put("b.yaml", onTwoNodes("law: {threshold: 0.8}", "mode: Enforce"));

    assertThat(policies(book.read()).get("node-1/other").staleAfterMillis()).isEqualTo(5_000);
    assertThat(policies(book.read()).get("node-2/other").staleAfterMillis()).isEqualTo(2_000);
  }

  private static String onTwoNodes(String one, String other) {
    String nodes =
        "{name: node-1, adapter: \"http://a:1\"}, {name: node-2, adapter: \"http://b:1\"}";
    String text =
        """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: other}
        spec:
          nodes: {list: [%s]}
          capacity: {max: 1Gi}
          %s
          %s
        """;
    return text.formatted(nodes, one, other);
  }

  private static Map<String, Policy> policies(PolicySet set) {
    return set.tiers().stream()
        .collect(Collectors.toMap(tier -> tier.key().toString(), NodePolicySpec::policy));
  }

  @Test
  void twoTiersOfANodeMayNotHaveTheSameAdapter() {
    put("a.yaml", SHORT.formatted("alluxio", "node-1", "1Gi"));
    put("b.yaml", SHORT.formatted("redis", "node-1", "1Gi"));
    put("c.yaml", SHORT.formatted("redis", "node-2", "1Gi"));

    assertThat(book.read().tiers())
        .extracting(tier -> tier.key().toString())
        .containsExactly("node-1/alluxio", "node-2/redis");
    assertThat(book.read().errors())
        .containsExactly(
            new PolicyError(
                "b.yaml",
                "1 (redis)",
                "spec.nodes.list[0].adapter",
                "http://127.0.0.1:7070 of node 'node-1' is already the adapter of a.yaml, document 1"
                    + " (alluxio)"));
  }

  private static String weighed(String name, String port, int weight, String mode) {
    return SHORT.formatted(name, "node-1", "1Gi").replace("7070", port)
        + "  share: {weight: %d}\n  mode: %s\n".formatted(weight, mode);
  }

  @Test
  void modeOffIsNoBoolean() {
    put("a.yaml", FULL.replace("Recommend", "Off"));

    assertThat(book.read().tiers().get(0).mode()).isEqualTo(Mode.Off);
  }

  @Test
  void aPercentageTravelsAsARatio() {
    put("a.yaml", SHORT.formatted("alluxio", "node-1", "25%"));

    Policy policy = book.read().tiers().get(0).policy();
    assertThat(policy.maxBytes()).isNull();
    assertThat(policy.maxRatio()).isEqualTo(0.25);
    assertThat(policy.maxBytesOf(8 * GIB)).isEqualTo(2 * GIB);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          dynims.io/v1alpha1 | dynims.io/v2 | apiVersion | 'dynims.io/v2' is not dynims.io/v1alpha1
          kind: MemoryTier | kind: Pod | kind | 'Pod' is not MemoryTier
          metadata: {name: alluxio} | metadata: {} | metadata.name | is required
          {name: alluxio} | {name: a/b} | metadata.name | 'a/b' is not a name
          {name: alluxio} | {name: a, nam: b} | metadata.nam | is not a field; known here are annotations, labels, name, namespace
          Recommend | recommend | spec.mode | 'recommend' is not one of Enforce, Recommend, Off
          type: Alluxio | type: Hazelcast | spec.store.type | 'Hazelcast' is not one of Alluxio
          {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]} | {list: []} | spec.nodes.list | is not a list of entries
          {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]} | {} | spec.nodes.list | is required
          {name: node-1, | { | spec.nodes.list[0].name | is required
          "http://127.0.0.1:7070" | "127.0.0.1:7070" | spec.nodes.list[0].adapter | is not an address such as
          "http://127.0.0.1:7070" | "http://h:1/v1/tier" | spec.nodes.list[0].adapter | is not an address such as
          max: 60Gi | max: 60Gb | spec.capacity.max | '60Gb' is not a number of bytes
          max: 60Gi | max: 1e11 | spec.capacity.max | '1e11' is not a number of bytes
          max: 60Gi | max: -010 | spec.capacity.max | '-010' is not a number of bytes
          max: 60Gi | max: .5 | spec.capacity.max | '.5' is not a number of bytes
          max: 60Gi | max: | spec.capacity.max | is required
          max: 60Gi | max: 160% | spec.capacity.max | '160%' is not a percentage from 0% to 100%
          max: 60Gi | max: 0 | spec.capacity.max | is below spec.capacity.min
          , max: 60Gi | `` | spec.capacity.max | is required
          type: Feedback | type: PID | spec.law.type | 'PID' is not one of Feedback, Forecast
          0.9 | 1 | spec.law.threshold | is not between 0 and 1
          gain: 0.25 | gain: 3 | spec.law.gain | 3.0 is not above 0 and at most 2
          gain: 0.25 | gain: much | spec.law.gain | 'much' is not a number
          gain: 0.25 | gain: .nan | spec.law.gain | '.nan' is not a number
          gain: 0.25 | gian: 0.25 | spec.law.gian | is not a field
          gain: 0.25 | gain: [1] | spec.law.gain | a list is not a single value
          200ms | 200 | spec.law.interval | '200' is not a duration
          200ms | 1ms | spec.law.interval | 1 is not from 10 to 3600000
          total: 80Gi | total: 0 | spec.memory.total | 0 is not above 0
          after: 3s | after: 50ms | spec.staleMetrics.after | 50 is not from intervalMillis, 200, to 86400000
          after: 3s | after: 25h | spec.staleMetrics.after | 90000000 is not from intervalMillis, 200, to 86400000
          memory: {total: 80Gi} | memory: 80Gi | spec.memory | '80Gi' is not a mapping
          memory: {total: 80Gi} | share: {weight: 0} | spec.share.weight | 0.0 is not above 0 and at most 1000
          memory: {total: 80Gi} | share: {weight: 1001} | spec.share.weight | 1001.0 is not above 0 and at most 1000
          memory: {total: 80Gi} | share: {wieght: 1} | spec.share.wieght | is not a field
          """)
  void aBadFieldIsRefusedWithItsPathAndTheReason(
      String good, String bad, String field, String reason) {
    assertThat(FULL).contains(good);
    put("a.yaml", FULL.replace(good, bad));

    assertThat(book.read().tiers()).isEmpty();
    assertThat(book.read().errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.file()).isEqualTo("a.yaml");
              assertThat(error.document()).startsWith("1");
              assertThat(error.field()).isEqualTo(field);
              assertThat(error.reason()).contains(reason);
            });
  }

  @Test
  void allErrorsAreToldAtOnce() {
    put("a.yaml", FULL.replace("0.25", "9").replace("Recommend", "Maybe") + "extra: 1\n");

    assertThat(book.read().errors())
        .extracting(PolicyError::field)
        .containsExactly("spec.mode", "spec.law.gain", "extra");
  }

  @ParameterizedTest
  @ValueSource(strings = {"- 1", "text", "a: 1\na: 2", "a: [1", "a: &x [*x", "a: *x", "\t- a"})
  void whatIsNoDocumentIsRefused(String text) {
    try {
      put("a.yaml", text);
    } catch (IllegalArgumentException e) {
      book.refuse("a.yaml", e.getMessage());
    }

    assertThat(book.read().errors()).isNotEmpty();
    assertThat(book.read().tiers()).isEmpty();
  }

  @Test
  void theLastGoodVersionStaysInForceWhileOtherDocumentsOfTheFileGoOn() {
    put("a.yaml", FULL + "---\n" + SHORT.formatted("other", "node-2", "1Gi"));
    put("a.yaml", FULL.replace("0.25", "9") + "---\n" + SHORT.formatted("other", "node-2", "2Gi"));

    assertThat(book.read().errors())
        .extracting(PolicyError::document)
        .containsExactly("1 (alluxio)");
    assertThat(book.read().tiers())
        .extracting(tier -> tier.policy().maxBytes())
        .containsExactly(60 * GIB, 2 * GIB);
  }

  @Test
  void aDocumentWhoseNameIsLostIsKnownByItsPosition() {
    put("a.yaml", FULL);
    put("a.yaml", FULL.replace("{name: alluxio}", "{name: 7/}"));

    assertThat(book.read().tiers()).hasSize(1);
    assertThat(book.read().errors()).hasSize(1);
  }

  @Test
  void aDocumentThatMovedIsStillKnownByItsName() {
    put("a.yaml", FULL + "---\n" + SHORT.formatted("other", "node-2", "1Gi"));
    put("a.yaml", SHORT.formatted("other", "node-2", "much") + "---\n" + FULL);

    assertThat(book.read().tiers())
        .extracting(tier -> tier.key().toString())
        .containsExactly("node-2/other", "node-1/alluxio");
  }

  @Test
  void aRefusedFileKeepsWhatItSaid() {
    put("a.yaml", FULL);
    book.refuse("a.yaml", "not YAML");

    assertThat(book.read().tiers()).hasSize(1);
    assertThat(book.read().errors()).extracting(PolicyError::reason).containsExactly("not YAML");
  }

  @Test
  void aRemovedDocumentAndARemovedFileAreWithdrawn() {
    put("a.yaml", FULL + "---\n" + SHORT.formatted("other", "node-2", "1Gi"));
    put("a.yaml", FULL);
    assertThat(book.read().tiers()).hasSize(1);

    book.remove("a.yaml");
    assertThat(book.read().tiers()).isEmpty();
  }

  @Test
  void ofTwoClaimsTheFirstByNameWinsAndTheOtherIsToldOfBoth() {
    put("b.yaml", SHORT.formatted("alluxio", "node-1", "1Gi"));
    put("a.yaml", SHORT.formatted("alluxio", "node-1", "2Gi"));

    assertThat(book.read().tiers())
        .extracting(tier -> tier.policy().maxBytes())
        .containsExactly(2 * GIB);
    assertThat(book.read().errors())
        .extracting(PolicyError::toString)
        .containsExactly(
            "b.yaml, document 1 (alluxio), spec.nodes.list[0].name: tier 'alluxio' of node"
                + " 'node-1' is already claimed by a.yaml, document 1 (alluxio)");
  }

  @Test
  void emptyDocumentsAreLeftOut() {
    assertThat(PolicyText.documents("---\n---\n# nothing\n")).isEqualTo(List.of());
  }

  private void put(String file, String text) {
    book.put(file, PolicyText.documents(text));
  }
}
