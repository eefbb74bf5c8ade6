package io.dynims.controller.kafka;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes acks without blocking. An ack that Kafka does not accept within 1.5 s is dropped and
 * counted; the tier's next ack replaces it.
 */
public final class AckSink implements AutoCloseable {

  /** A few hundred acks; a full batch is sent at once. */
  private static final int BATCH_BYTES = 256 << 10;

  private final DroppingProducer producer;

  /**
   * Creates the producer.
   *
   * @param onDrop called on any thread for each dropped ack
   */
  public AckSink(KafkaSettings settings, Runnable onDrop) {
    producer =
        new DroppingProducer(
            settings,
            Map.of(
                "max.block.ms",
                0,
                "linger.ms",
                // An ack is not needed before the node's next sample, so acks of many nodes share a
                // batch.
                settings.lingerMillis(),
                "acks",
                "1",
                "enable.idempotence",
                false,
                "batch.size",
                BATCH_BYTES,
                "max.in.flight.requests.per.connection",
                1,
                "request.timeout.ms",
                1_000,
                "delivery.timeout.ms",
                1_500,
                "buffer.memory",
                8L << 20),
            onDrop);
  }

  /** Sends an ack if Kafka is available. */
  public void send(Ack ack) {
    producer.send(
        new ProducerRecord<>(Topics.ACKS, ack.key().toString(), WireCodec.ACK.encode(ack)));
  }

  @Override
  public void close() {
    producer.close();
  }
}
