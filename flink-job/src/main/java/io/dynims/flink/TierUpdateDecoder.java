package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads policies and acks. */
final class TierUpdateDecoder {

  /** Exact in a double; the sum over a node's tiers cannot overflow. */
  static final long MAX_BYTES = 1L << 53;

  /** The longest name of a node or a tier, as in Kubernetes. */
  static final int MAX_NAME_LENGTH = 253;

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
    Ack ack = WireCodec.ACK.decode(record.value());
    try {
      requireShort(ack.key());
    } catch (IllegalArgumentException e) {
      throw new WireException("", "Ack: " + e.getMessage(), e);
    }
    requireBytes("capacityBytes", ack.capacityBytes());
    requireBytes("usedBytes", ack.usedBytes());
    if (ack.hints() != null && ack.hints().size() > Hint.MAX_HINTS) {
      throw new WireException("hints", "Ack: hints: are more than " + Hint.MAX_HINTS, null);
    }
    out.accept(TierUpdate.of(withoutMessage(ack)));
  }

  private static Ack withoutMessage(Ack ack) {
    return new Ack(
        ack.node(),
        ack.tier(),
        ack.desiredBytes(),
        ack.capacityBytes(),
        ack.usedBytes(),
        ack.unevictableBytes(),
        ack.unpersistedBytes(),
        ack.hitRatio(),
        ack.status(),
        "",
        ack.sampledMillis(),
        ack.appliedMillis(),
        ack.hints());
  }

  private static TierKey key(ConsumerRecord<byte[], byte[]> record) throws WireException {
    if (record.key() == null) {
      throw new WireException("key", "Policy: key: is missing", null);
    }
    try {
      return requireShort(TierKey.parse(new String(record.key(), UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new WireException("key", "Policy: " + e.getMessage(), e);
    }
  }

  private static TierKey requireShort(TierKey key) {
    if (key.node().length() > MAX_NAME_LENGTH || key.tier().length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException("a name is longer than " + MAX_NAME_LENGTH);
    }
    return key;
  }

  private static void requireBytes(String field, Long bytes) throws WireException {
    if (bytes != null && (bytes < 0 || bytes > MAX_BYTES)) {
      throw new WireException(
          field, "Ack: " + field + ": " + bytes + " is not from 0 to " + MAX_BYTES, null);
    }
  }
}
