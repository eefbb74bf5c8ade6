package io.dynims.core.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.law.Action;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.law.NodeModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireCodecTest {

  private static final Policy POLICY =
      new Policy(
          "node-1",
          "alluxio",
          Mode.Enforce,
          LawType.Feedback,
          0.95,
          0.5,
          0L,
          null,
          60_000_000_000L,
          null,
          null,
          100,
          2_000,
          OnDelete.Keep);
  private static final String POLICY_JSON =
      "{\"node\":\"node-1\",\"tier\":\"alluxio\",\"mode\":\"Enforce\",\"law\":\"Feedback\","
          + "\"threshold\":0.95,\"gain\":0.5,\"minBytes\":0,\"maxBytes\":60000000000,"
          + "\"intervalMillis\":100,\"staleAfterMillis\":2000,\"onDelete\":\"Keep\","
          + "\"unpersisted\":\"Protect\","
          + "\"guard\":{\"onLostControl\":\"Follow\",\"pressureLimit\":0.1},"
          + "\"share\":{\"weight\":1.0,\"nodeWeight\":1.0,\"byHits\":false}}";

  @Test
  void writesAPolicyAsTheContractSays() {
    assertThat(new String(WireCodec.POLICY.encode(POLICY), UTF_8)).isEqualTo(POLICY_JSON);
  }

  @Test
  void readsWhatItWrote() throws Exception {
    Ack ack = new Ack("n", "t", 1L << 46, 2, 3, AckStatus.Partial, "pinned", 4, 5);
    CapacityDecision decision =
        POLICY.decide(new LawInput(60_000_000_000L, 11, 12, 13, 14), new NodeModel());
    Target target = Target.of(POLICY.key(), decision, decision.reason(), 15L, 16);

    assertThat(WireCodec.POLICY.decode(POLICY_JSON.getBytes(UTF_8))).isEqualTo(POLICY);
    assertThat(WireCodec.ACK.decode(WireCodec.ACK.encode(ack))).isEqualTo(ack);
    assertThat(WireCodec.TARGET.decode(WireCodec.TARGET.encode(target))).isEqualTo(target);
  }

  @Test
  void aTargetExplainsItself() throws Exception {
    CapacityDecision decision = POLICY.decide(new LawInput(0, 7, 980, 1_000, 14), new NodeModel());
    Target target = Target.of(POLICY.key(), decision, decision.reason(), null, 16);

    assertThat(new String(WireCodec.TARGET.encode(target), UTF_8))
        .isEqualTo(
            "{\"node\":\"node-1\",\"tier\":\"alluxio\",\"desiredBytes\":0,\"previousBytes\":0,"
                + "\"tierUsedBytes\":7,\"tierUsedAgeMillis\":0,"
                + "\"unevictableBytes\":0,\"memoryUsedBytes\":980,\"memoryTotalBytes\":1000,"
                + "\"utilization\":0.98,"
                + "\"threshold\":0.95,\"gain\":0.5,\"stepBytes\":15,\"action\":\"Hold\","
                + "\"reason\":\"utilization 0.9800 is above the threshold 0.9500: holding; the law"
                + " would go below the minimum\",\"limitedBy\":\"Min\",\"sampledMillis\":14,"
                + "\"decidedMillis\":16}");
  }

  @Test
  void readsATargetOfAnEarlierVersion() throws Exception {
    String json =
        "{\"node\":\"n\",\"tier\":\"t\",\"desiredBytes\":1,\"previousBytes\":2,"
            + "\"memoryUsedBytes\":3,\"memoryTotalBytes\":4,\"utilization\":0.75,"
            + "\"action\":\"Shrink\",\"reason\":\"why\",\"limitedBy\":\"None\","
            + "\"sampledMillis\":5,\"decidedMillis\":6}";
    Target target = WireCodec.TARGET.decode(json.getBytes(UTF_8));

    assertThat(target)
        .isEqualTo(
            new Target(
                "n",
                "t",
                1,
                2,
                null,
                null,
                null,
                3,
                4,
                0.75,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Action.Shrink,
                "why",
                Limit.None,
                null,
                5,
                null,
                6));
    assertThat(new String(WireCodec.TARGET.encode(target), UTF_8)).isEqualTo(json);
  }

  @Test
  void aTargetSharesWhatIsEqualAndChangesNothing() {
    Target earlier = target(0.95, 0.5);
    Target later = target(0.95, 0.75);
    Target shared = later.sharing(earlier);

    assertThat(shared).isEqualTo(later);
    assertThat(shared.node()).isSameAs(earlier.node());
    assertThat(shared.threshold()).isSameAs(earlier.threshold());
    assertThat(shared.gain()).isEqualTo(0.75);
  }

  @Test
  void ignoresUnknownFieldsAndAbsentOptionalOnes() throws Exception {
    String json = POLICY_JSON.replace("{\"node\"", "{\"colour\":\"red\",\"node\"");

    assertThat(WireCodec.POLICY.decode(json.getBytes(UTF_8)).memoryBudgetBytes()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"gain\":0.5,           |                       | gain",
        "\"node\":\"node-1\",    |                       | node",
        "\"maxBytes\":60000000000| \"maxBytes\":\"60G\"  | maxBytes",
        "\"maxBytes\":60000000000| \"maxBytes\":1.5      | maxBytes",
        "\"maxBytes\":60000000000| \"maxBytes\":null     | maxBytes",
        "\"maxBytes\":60000000000| \"maxBytes\":-1       | maxBytes",
        "\"gain\":0.5            | \"gain\":2.5          | gain",
        "\"gain\":0.5            | \"gain\":\"NaN\"      | gain",
        "\"threshold\":0.95      | \"threshold\":1       | threshold",
        "\"mode\":\"Enforce\"    | \"mode\":\"enforce\"  | mode",
        "\"mode\":\"Enforce\"    | \"mode\":0            | mode",
        "\"mode\":\"Enforce\"    | \"mode\":null         | mode",
        "\"law\":\"Feedback\"    | \"law\":\"Magic\"     | law",
        "\"node\":\"node-1\"     | \"node\":\"a/b\"      | node",
        "\"node\":\"node-1\"     | \"node\":\"\"         | node",
        "\"node\":\"node-1\"     | \"node\":null         | node",
        "\"intervalMillis\":100  | \"intervalMillis\":1  | intervalMillis",
        "\"staleAfterMillis\":2000| \"staleAfterMillis\":99 | staleAfterMillis"
      })
  void namesTheFieldAtFault(String replaced, String replacement, String field) {
    String json = POLICY_JSON.replace(replaced, replacement == null ? "" : replacement);
    assertThat(json).isNotEqualTo(POLICY_JSON);

    assertThatThrownBy(() -> WireCodec.POLICY.decode(json.getBytes(UTF_8)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(field)
        .extracting(e -> ((WireException) e).field())
        .isEqualTo(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"NaN\"", "\"Infinity\"", "1e999"})
  void refusesWhatIsNoNumber(String number) {
    byte[] target = WireCodec.TARGET.encode(target(0.95, 0.5));
    String json =
        new String(target, UTF_8).replaceFirst("\"utilization\":0.98", "\"utilization\":" + number);

    assertThatThrownBy(() -> WireCodec.TARGET.decode(json.getBytes(UTF_8)))
        .isInstanceOf(WireException.class)
        .hasMessageStartingWith("Target: utilization: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"'' | empty", "null | null", "{ | not JSON", "[] | Policy", "{} {} | Policy"})
  void refusesWhatIsNoObject(String json, String expected) {
    assertThatThrownBy(() -> WireCodec.POLICY.decode(json.getBytes(UTF_8)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aTierKeyIsReadBackAndABadOneRefused() {
    assertThat(TierKey.parse("node-1/alluxio")).isEqualTo(new TierKey("node-1", "alluxio"));
    assertThatThrownBy(() -> TierKey.parse("node-1")).hasMessageContaining("node/tier");
    assertThatThrownBy(() -> TierKey.parse("a/b/c")).hasMessageContaining("tier: 'b/c'");
    assertThatThrownBy(() -> TierKey.parse("/t")).hasMessageContaining("node: is empty");
  }

  private static Target target(double threshold, double gain) {
    var parameters = new LawParameters(threshold, gain, 0, 1_000);
    var decision =
        new FeedbackLaw(parameters).decide(new LawInput(500, 4, 980, 1_000, 1), new NodeModel());
    return Target.of(new TierKey(new String("n"), "t"), decision, "why", 2L, 3);
  }
}
