package io.dynims.controller.kafka;

import io.dynims.controller.kafka.TopicReader.Begin;
import io.dynims.core.wire.Topics;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Reads and writes the compacted policy topic; both calls block until Kafka answers. */
final class PolicyTopic {

  private final KafkaSettings settings;

  PolicyTopic(KafkaSettings settings) {
    this.settings = settings;
  }

  /** Reads the topic to its current end and returns the latest value of each key. */
  Map<String, byte[]> read() throws InterruptedException {
    Map<String, byte[]> policies = new HashMap<>();
    try (TopicReader reader = new TopicReader(settings, Topics.POLICIES, Begin.Earliest)) {
      reader.assign();
      reader.readToEnd(records -> records.forEach(each -> apply(each, policies)));
    }
    return policies;
  }

  private static void apply(ConsumerRecord<String, byte[]> read, Map<String, byte[]> policies) {
    if (read.value() == null) {
      policies.remove(read.key());
    } else if (read.key() != null) {
      policies.put(read.key(), read.value());
    }
  }

  /** Writes the values, nulls as tombstones, and waits until all are stored. */
  void write(Map<String, byte[]> changes) throws ExecutionException, InterruptedException {
    Map<String, Object> producerSettings =
        settings.with(
            Map.of(
                "acks",
                "all",
                "max.block.ms",
                10_000,
                // A leader that cannot write for longer may have been replaced by another.
                "request.timeout.ms",
                5_000,
                "delivery.timeout.ms",
                5_000,
                "linger.ms",
                0));
    try (var producer =
        new KafkaProducer<>(producerSettings, new StringSerializer(), new ByteArraySerializer())) {
      Stream<Future<RecordMetadata>> sent =
          changes.entrySet().stream()
              .map(e -> new ProducerRecord<>(Topics.POLICIES, e.getKey(), e.getValue()))
              .map(producer::send);
      for (Future<RecordMetadata> each : sent.toList()) {
        each.get();
      }
    }
  }
}
