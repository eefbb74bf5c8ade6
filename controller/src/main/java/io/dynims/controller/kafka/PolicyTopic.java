package io.dynims.controller.kafka;

import io.dynims.core.wire.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Reads and writes the compacted topic of policies; both wait for Kafka. */
final class PolicyTopic {

  private static final Duration STEP = Duration.ofMillis(200);
  private static final int STEPS_WITHOUT_PROGRESS = 50;

  private final KafkaSettings settings;

  PolicyTopic(KafkaSettings settings) {
    this.settings = settings;
  }

  /** What the topic says, by key, read to its present end. */
  Map<String, byte[]> read() {
    Map<String, Object> consumerSettings =
        settings.with(
            Map.of(
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "allow.auto.create.topics",
                false,
                "default.api.timeout.ms",
                10_000));
    try (var consumer =
        new KafkaConsumer<>(
            consumerSettings, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.POLICIES).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      return readTo(consumer.endOffsets(partitions), consumer);
    }
  }

  private static Map<String, byte[]> readTo(
      Map<TopicPartition, Long> ends, KafkaConsumer<String, byte[]> consumer) {
    Map<String, byte[]> policies = new HashMap<>();
    int idleSteps = 0;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      var records = consumer.poll(STEP);
      idleSteps = records.isEmpty() ? idleSteps + 1 : 0;
      if (idleSteps > STEPS_WITHOUT_PROGRESS) {
        throw new TimeoutException(Topics.POLICIES + " cannot be read to its end");
      }
      for (var record : records) {
        if (record.value() == null) {
          policies.remove(record.key());
        } else if (record.key() != null) {
          policies.put(record.key(), record.value());
        }
      }
    }
    return policies;
  }

  /** Writes the values, null ones as tombstones, and returns when all are there. */
  void write(Map<String, byte[]> changes) throws ExecutionException, InterruptedException {
    Map<String, Object> producerSettings =
        settings.with(
            Map.of(
                "acks",
                "all",
                "max.block.ms",
                10_000,
                // Who cannot write for so long may have been replaced by another leader.
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
