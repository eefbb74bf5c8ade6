package io.dynims.controller.kafka;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes acks and never waits: an ack that Kafka does not take within a second and a half is
 * dropped and counted. The next one of that tier says all that it said.
 */
public final class AckSink implements AutoCloseable {

  /** Some hundred acks; a full batch does not wait for others. */
  private static final int BATCH_BYTES = 256 << 10;

  private final DroppingProducer producer;

  /**
   * A sink.
   *
   * @param onDrop called for each ack that was dropped, by any thread
   */
  public AckSink(KafkaSettings settings, Runnable onDrop) {
    producer =
        new DroppingProducer(
            settings,
            Map.of(
                "max.block.ms",
                0,
                "linger.ms",
                // An ack has until the node's next sample, so those of many nodes go together.
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

  /** Sends it if Kafka is there. */
  public void send(Ack ack) {
    producer.send(
        new ProducerRecord<>(Topics.ACKS, ack.key().toString(), WireCodec.ACK.encode(ack)));
  }

  @Override
  public void close() {
    producer.close();
  }
}
