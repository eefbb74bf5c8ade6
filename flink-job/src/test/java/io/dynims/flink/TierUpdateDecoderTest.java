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
    assertThatThrownBy(() -> ack(Samples.ack(name, "t", 5, 3)))
        .isInstanceOf(WireException.class)
        .hasMessage("Ack: a name is longer than 253");
    assertThatThrownBy(() -> policy("n/" + name, null))
        .isInstanceOf(WireException.class)
        .hasMessage("Policy: a name is longer than 253");
  }

  @Test
  void refusesAnAckThatTheLawCouldNotBeGiven() {
    assertThatThrownBy(() -> ack(Samples.ack("n", "t", -1, 3)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("Ack: capacityBytes: -1 is not from 0");
    assertThatThrownBy(() -> ack(Samples.ack("n", "t", 1, Long.MAX_VALUE)))
        .hasMessageContaining("Ack: usedBytes: ");
    assertThatThrownBy(() -> ack(new Ack("n/x", "t", 0, 0, 0, AckStatus.Applied, null, 0, 0)))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("contains a slash");
  }

  private static List<TierUpdate> policy(String key, byte[] value) throws WireException {
    List<TierUpdate> out = new ArrayList<>();
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    TierUpdateDecoder.policy(new ConsumerRecord<>("topic", 0, 0, keyBytes, value), out::add);
    return out;
  }

  private static List<TierUpdate> ack(Ack ack) throws WireException {
    List<TierUpdate> out = new ArrayList<>();
    byte[] value = WireCodec.ACK.encode(ack);
    TierUpdateDecoder.ack(new ConsumerRecord<>("topic", 0, 0, null, value), out::add);
    return out;
  }
}
