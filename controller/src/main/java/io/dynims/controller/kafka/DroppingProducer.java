package io.dynims.controller.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer of messages that may get lost: what Kafka does not take is dropped and told. */
final class DroppingProducer implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final KafkaProducer<String, byte[]> producer;
  private final Runnable onDrop;

  /**
   * A producer.
   *
   * @param options of Kafka's producer; they say for how long sending may wait
   * @param onDrop called for each message that was dropped, by any thread
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
      // Interrupted, or closed: the program is about to end.
      onDrop.run();
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
