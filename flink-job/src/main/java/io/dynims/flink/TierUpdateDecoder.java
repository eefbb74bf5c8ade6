package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads policies and acks. */
final class TierUpdateDecoder {

  private TierUpdateDecoder() {}

  /** A policy or its withdrawal. Compaction works by key, so the key must match the policy. */
  static void policy(ConsumerRecord<byte[], byte[]> record, Consumer<TierUpdate> out)
      throws WireException {
    TierKey key = key(record);
    if (record.value() == null) {
      out.accept(TierUpdate.withdrawal(key));
      return;
    }
    Policy policy = WireCodec.POLICY.decode(record.value());
    if (!policy.key().equals(key)) {
      throw new WireException(
          "key", "Policy: key: '" + key + "' does not match the value's, " + policy.key(), null);
    }
    out.accept(TierUpdate.of(policy));
  }

  /** An ack, without its message, which is for people: nothing that grows may be in the state. */
  static void ack(ConsumerRecord<byte[], byte[]> record, Consumer<TierUpdate> out)
      throws WireException {
    out.accept(TierUpdate.of(WireCodec.ACK.decode(record.value()).withoutMessage()));
  }

  private static TierKey key(ConsumerRecord<byte[], byte[]> record) throws WireException {
    if (record.key() == null) {
      throw new WireException("key", "Policy: key: is missing", null);
    }
    try {
      return TierKey.parse(new String(record.key(), UTF_8));
    } catch (IllegalArgumentException e) {
      throw new WireException("key", "Policy: " + e.getMessage(), e);
    }
  }
}
