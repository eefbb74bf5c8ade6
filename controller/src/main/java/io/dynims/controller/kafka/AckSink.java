package io.dynims.controller.kafka;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Publishes acks and never waits: an ack that Kafka does not take within a second and a half is
 * dropped and counted. The next one of that tier says all that it said.
 */
public final class AckSink implements AutoCloseable {

  /** Some hundred acks; a full batch does not wait for others. */
  private static final int BATCH_BYTES = 256 << 10;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final KafkaProducer<String, byte[]> producer;
  private final Runnable onDrop;

  /**
   * A sink.
   *
   * @param onDrop called for each ack that was dropped, by any thread
   */
  public AckSink(KafkaSettings settings, Runnable onDrop) {
    this.onDrop = onDrop;
    this.producer =
        new KafkaProducer<>(
            settings.with(
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
                    8L << 20)),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  /** Sends it if Kafka is there. */
  public void send(Ack ack) {
    var record = new ProducerRecord<>(Topics.ACKS, ack.key().toString(), WireCodec.ACK.encode(ack));
    try {
      var unusedFuture =
          producer.send(
              record,
              (metadata, failure) -> {
                if (failure != null) {
                  onDrop.run();
                }
              });
    } catch (IllegalStateException e) {
      // The producer is closed: the program is about to end.
      onDrop.run();
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
