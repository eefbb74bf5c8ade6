package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes targets keyed by tier, so that the targets of a tier stay in order. */
final class TargetSchema implements KafkaRecordSerializationSchema<Target> {

  private static final long serialVersionUID = 1L;

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Target target, KafkaSinkContext context, Long timestamp) {
    return new ProducerRecord<>(
        Topics.TARGETS, target.key().toString().getBytes(UTF_8), WireCodec.TARGET.encode(target));
  }
}
