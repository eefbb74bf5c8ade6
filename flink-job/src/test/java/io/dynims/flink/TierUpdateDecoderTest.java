package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TierUpdateDecoderTest {

  private static final Policy POLICY = Samples.policy("n", "t", Mode.Enforce);

  @Test
  void readsAPolicy() throws Exception {
    assertThat(policy("n/t", WireCodec.POLICY.encode(POLICY)))
        .containsExactly(TierUpdate.of(POLICY));
  }

  @Test
  void readsAWithdrawal() throws Exception {
    assertThat(policy("n/t", null)).containsExactly(TierUpdate.withdrawal(new TierKey("n", "t")));
  }

  @Test
  void refusesAPolicyUnderAnotherKey() {
    assertThatThrownBy(() -> policy("n/other", WireCodec.POLICY.encode(POLICY)))
        .isInstanceOf(WireException.class)
        .hasMessage("Policy: key: 'n/other' does not match the value's, n/t");
    assertThatThrownBy(() -> policy(null, null)).hasMessage("Policy: key: is missing");
    assertThatThrownBy(() -> policy("n", null))
        .hasMessage("Policy: key: 'n' is not of the form node/tier");
  }

  @Test
  void namesThePolicysFieldThatIsWrong() {
    String json = new String(WireCodec.POLICY.encode(POLICY), UTF_8).replace("0.95", "1.5");
    assertThatThrownBy(() -> policy("n/t", json.getBytes(UTF_8)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("threshold: 1.5");
  }

  @Test
  void readsAnAck() throws Exception {
    Ack ack = Samples.ack("n", "t", 5, 3);
    assertThat(ack(ack)).containsExactly(TierUpdate.of(ack));
  }

  @Test
  void keepsNoMessageOfAnAck() throws Exception {
    Ack partial = new Ack("n", "t", 5, 5, 3, AckStatus.Partial, "x".repeat(100_000), 0, 0);
    assertThat(ack(partial)).extracting(update -> update.ack().message()).containsExactly("");
  }

  @Test
  void refusesNamesThatAreTooLong() {
    String name = "x".repeat(254);
    assertThatThrownBy(() -> ack("\"node\":\"n\"", "\"node\":\"" + name + "\""))
        .isInstanceOf(WireException.class)
        .hasMessage("Ack: node: is longer than 253 characters");
    assertThatThrownBy(() -> policy("n/" + name, null))
        .isInstanceOf(WireException.class)
        .hasMessage("Policy: tier: is longer than 253 characters");
  }

  /** What a law, or the sum of a node's tiers, could not be given. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "capacityBytes",
        "usedBytes",
        "unevictableBytes",
        "unpersistedBytes",
        "sampledMillis",
        "appliedMillis",
      })
  void refusesAnAmountOutOfItsRange(String field) throws Exception {
    String valid = "\"" + field + "\":7";
    assertThat(ack(valid, valid)).hasSize(1);
    for (String wrong :
        List.of("-1", Long.toString(Long.MIN_VALUE), Long.toString((1L << 53) + 1), "1e300")) {
      assertThatThrownBy(() -> ack(valid, "\"" + field + "\":" + wrong))
          .as(wrong)
          .isInstanceOf(WireException.class)
          .hasMessageStartingWith("Ack: " + field + ": ");
    }
  }

  @ParameterizedTest
  @CsvSource({"desiredBytes, -1", "hitRatio, -0.1", "hitRatio, 1.1", "hitRatio, NaN"})
  void refusesWhatIsOutOfItsRange(String field, String wrong) {
    assertThatThrownBy(() -> ack("\"" + field + "\":7", "\"" + field + "\":" + wrong))
        .isInstanceOf(WireException.class)
        .hasMessageStartingWith("Ack: ");
  }

  @Test
  void refusesANameWithASlash() {
    assertThatThrownBy(() -> ack("\"node\":\"n\"", "\"node\":\"n/x\""))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("contains a slash");
  }

  /** An ack of which a part of the text is replaced. */
  private static List<TierUpdate> ack(String valid, String replacement) throws WireException {
    String json =
        """
        {"node":"n","tier":"t","desiredBytes":7,"capacityBytes":7,"usedBytes":7,\
        "unevictableBytes":7,"unpersistedBytes":7,"hitRatio":7,"status":"Applied",\
        "sampledMillis":7,"appliedMillis":7}\
        """
            .replace("\"hitRatio\":7", valid.contains("hitRatio") ? valid : "\"hitRatio\":0.7")
            .replace(valid, replacement);
    return ack(json.getBytes(UTF_8));
  }

  private static List<TierUpdate> policy(String key, byte[] value) throws WireException {
    List<TierUpdate> out = new ArrayList<>();
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    TierUpdateDecoder.policy(new ConsumerRecord<>("topic", 0, 0, keyBytes, value), out::add);
    return out;
  }

  private static List<TierUpdate> ack(Ack ack) throws WireException {
    return ack(WireCodec.ACK.encode(ack));
  }

  private static List<TierUpdate> ack(byte[] value) throws WireException {
    List<TierUpdate> out = new ArrayList<>();
    TierUpdateDecoder.ack(new ConsumerRecord<>("topic", 0, 0, null, value), out::add);
    return out;
  }
}
