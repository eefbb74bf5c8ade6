package io.dynims.controller.kafka;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads one topic, every partition of it and in no consumer group: there is nothing to commit and
 * no rebalance to wait for. For use by one thread.
 */
final class TopicReader implements AutoCloseable {

  /** Takes some of what was read; a partition's records in their order. */
  @FunctionalInterface
  interface Receiver {

    /** Returns when they are taken. */
    void take(ConsumerRecords<String, byte[]> records) throws InterruptedException;
  }

  /** Where to begin in a partition that nothing else is known of. */
  enum Begin {
    Earliest,
    Latest
  }

  static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS_WITHOUT_PROGRESS = 50;

  private final String topic;
  private final KafkaConsumer<String, byte[]> consumer;

  TopicReader(KafkaSettings settings, String topic, Begin begin) {
    this.topic = topic;
    this.consumer =
        new KafkaConsumer<>(
            settings.with(
                Map.of(
                    "auto.offset.reset",
                    begin == Begin.Earliest ? "earliest" : "latest",
                    "enable.auto.commit",
                    false,
                    "allow.auto.create.topics",
                    false,
                    "fetch.min.bytes",
                    1,
                    "max.poll.records",
                    5_000,
                    "default.api.timeout.ms",
                    5_000)),
            new StringDeserializer(),
            new ByteArrayDeserializer());
  }

  /** Looks up which partitions there are; false where there are none, as the topic is not there. */
  boolean assign() {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    return !partitions.isEmpty();
  }

  /**
   * Goes to the first record of a time, in Unix epoch milliseconds, or further back to where so
   * many records are left.
   */
  void seek(long fromMillis, long leastRecords) {
    Set<TopicPartition> partitions = consumer.assignment();
    var begins = consumer.beginningOffsets(partitions);
    var ends = consumer.endOffsets(partitions);
    var since =
        consumer.offsetsForTimes(
            partitions.stream().collect(Collectors.toMap(p -> p, p -> fromMillis)));
    for (TopicPartition partition : partitions) {
      long end = ends.get(partition);
      long first = since.get(partition) == null ? end : since.get(partition).offset();
      long enough = end - leastRecords / partitions.size();
      consumer.seek(partition, Math.max(begins.get(partition), Math.min(first, enough)));
    }
  }

  /** Reads to where the topic ends now. */
  void readToEnd(Receiver receiver) throws InterruptedException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    int idlePolls = 0;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      ConsumerRecords<String, byte[]> records = poll();
      idlePolls = records.isEmpty() ? idlePolls + 1 : 0;
      if (idlePolls > POLLS_WITHOUT_PROGRESS) {
        throw new TimeoutException(topic + " cannot be read to its end");
      }
      receiver.take(records);
    }
  }

  /** What has come, or comes within {@link #POLL}. */
  ConsumerRecords<String, byte[]> poll() {
    return consumer.poll(POLL);
  }

  /** How many records there are that were not read yet, as far as is known; asks nobody. */
  long lagRecords() {
    return consumer.assignment().stream()
        .map(consumer::currentLag)
        .mapToLong(lag -> lag.orElse(0))
        .sum();
  }

  /** Ends a read that waits; for use by any thread. */
  void wakeup() {
    consumer.wakeup();
  }

  /**
   * The target that a record holds.
   *
   * @throws WireException when it holds none
   * @throws IllegalArgumentException when it cannot be shown or pushed; records do not check that
   */
  static Target target(byte[] value) throws WireException {
    Target target = WireCodec.TARGET.decode(value);
    var unusedKey = target.key();
    if (target.desiredBytes() < 0 || target.sampledMillis() < 0) {
      throw new IllegalArgumentException("capacityBytes or sampledMillis is below 0");
    }
    return target;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
