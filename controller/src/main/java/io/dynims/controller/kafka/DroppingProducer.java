package io.dynims.controller.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer for messages that may be lost: what Kafka does not accept is dropped and counted. */
final class DroppingProducer implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final KafkaProducer<String, byte[]> producer;
  private final Runnable onDrop;

  /**
   * Creates the producer.
   *
   * @param options of Kafka's producer, which bound how long sending may block
   * @param onDrop called on any thread for each dropped message
   */
  DroppingProducer(KafkaSettings settings, Map<String, Object> options, Runnable onDrop) {
    this.producer =
        new KafkaProducer<>(
            settings.with(options), new StringSerializer(), new ByteArraySerializer());
    this.onDrop = onDrop;
  }

  void send(ProducerRecord<String, byte[]> message) {
    try {
      var unusedFuture =
          producer.send(
              message,
              (metadata, failure) -> {
                if (failure != null) {
                  onDrop.run();
                }
              });
    } catch (KafkaException | IllegalStateException e) {
      // Interrupted or closed: the program is shutting down.
      onDrop.run();
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
