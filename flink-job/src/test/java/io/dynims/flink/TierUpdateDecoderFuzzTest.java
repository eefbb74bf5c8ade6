package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.CodecProperties;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** A record of policies or acks: its key is the first line of the input, its value the rest. */
class TierUpdateDecoderFuzzTest {

  /** One of the two ways to decode a record. */
  private interface Decoder {
    void decode(ConsumerRecord<byte[], byte[]> record, Consumer<TierUpdate> out)
        throws WireException;
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/core/fuzz/json.dict")
  void aRecordIsRefusedOrGivesOneUpdate(byte[] input) {
    check(input);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "aRecordIsRefusedOrGivesOneUpdate", TierUpdateDecoderFuzzTest::check);
  }

  private static Outcome check(byte[] input) {
    ConsumerRecord<byte[], byte[]> record = record(input);
    List<TierUpdate> policies = decode(TierUpdateDecoder::policy, record, "Policy: ");
    List<TierUpdate> acks = decode(TierUpdateDecoder::ack, record, "Ack: ");
    for (TierUpdate update : policies) {
      assertThat(update.ack()).isNull();
      assertThat(update.policy() == null).isEqualTo(record.value() == null);
    }
    for (TierUpdate update : acks) {
      assertThat(update.policy()).isNull();
      assertThat(update.ack().message()).isEmpty();
      CodecProperties.requireWhole("ack", update.ack());
    }
    return policies.isEmpty() && acks.isEmpty() ? Outcome.Refused : Outcome.Accepted;
  }

  private static List<TierUpdate> decode(
      Decoder decoder, ConsumerRecord<byte[], byte[]> record, String refusal) {
    List<TierUpdate> updates = new ArrayList<>();
    try {
      decoder.decode(record, updates::add);
    } catch (WireException e) {
      assertThat(e).hasMessageStartingWith(refusal);
      assertThat(updates).isEmpty();
      return updates;
    }
    assertThat(updates).hasSize(1);
    assertThat(updates.get(0).node()).isNotBlank().hasSizeLessThanOrEqualTo(253);
    assertThat(updates.get(0).tier()).isNotBlank().hasSizeLessThanOrEqualTo(253);
    return updates;
  }

  /** Without a line's end the record has no value; an empty first line is no key. */
  private static ConsumerRecord<byte[], byte[]> record(byte[] input) {
    int end = 0;
    while (end < input.length && input[end] != '\n') {
      end++;
    }
    byte[] key = end == 0 ? null : Arrays.copyOf(input, end);
    byte[] value = end == input.length ? null : Arrays.copyOfRange(input, end + 1, input.length);
    return new ConsumerRecord<>("topic", 0, 0, key, value);
  }
}
