package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

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
 * Reads all partitions of one topic without a consumer group, so there are no commits and no
 * rebalances. For use by one thread.
 */
final class TopicReader implements AutoCloseable {

  /** Receives batches of records, in order within each partition. */
  @FunctionalInterface
  interface Receiver {

    /** Processes a batch, and returns when the next one may be read. */
    void accept(ConsumerRecords<String, byte[]> records) throws InterruptedException;
  }

  /** Where to start reading a partition. */
  enum Begin {
    Earliest,
    Latest
  }

  static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS_WITHOUT_PROGRESS = 50;

  private final String topic;
  private final KafkaConsumer<String, byte[]> consumer;
  private final BacklogSeeker seeker;

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
    this.seeker = new BacklogSeeker(consumer);
  }

  /** Assigns all partitions of the topic; false if the topic does not exist. */
  boolean assign() {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    return !partitions.isEmpty();
  }

  /**
   * Seeks to the first record at or after a time in Unix epoch milliseconds, or further back so
   * that at least this many records are left to read.
   */
  void seek(long fromMillis, long minRecords) {
    Set<TopicPartition> partitions = consumer.assignment();
    var begins = consumer.beginningOffsets(partitions);
    var ends = consumer.endOffsets(partitions);
    var since =
        consumer.offsetsForTimes(
            partitions.stream().collect(Collectors.toMap(p -> p, p -> fromMillis)));
    for (TopicPartition partition : partitions) {
      long end = ends.get(partition);
      long first = since.get(partition) == null ? end : since.get(partition).offset();
      long enough = end - minRecords / partitions.size();
      consumer.seek(partition, Math.max(begins.get(partition), Math.min(first, enough)));
    }
  }

  /** Reads to the current end of the topic. */
  void readToEnd(Receiver receiver) throws InterruptedException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    int idlePolls = 0;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      ConsumerRecords<String, byte[]> records = poll();
      idlePolls = records.isEmpty() ? idlePolls + 1 : 0;
      if (idlePolls > POLLS_WITHOUT_PROGRESS) {
        throw new TimeoutException("cannot read " + topic + " to its end");
      }
      receiver.accept(records);
    }
  }

  /** Returns new records, after at most {@link #POLL}. */
  ConsumerRecords<String, byte[]> poll() {
    return poll(POLL);
  }

  /** Returns new records, after at most so long. */
  ConsumerRecords<String, byte[]> poll(Duration longest) {
    return consumer.poll(longest);
  }

  /** The number of partitions that are read. */
  int partitions() {
    return consumer.assignment().size();
  }

  /** Skips records that have waited too long to be worth reading; returns how many. */
  long skipBacklog() {
    return seeker.seek(NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** The number of unread records according to the last fetch; sends no request. */
  long lagRecords() {
    return consumer.assignment().stream()
        .map(consumer::currentLag)
        .mapToLong(lag -> lag.orElse(0))
        .sum();
  }

  /** Ends the thread that reads: wakes it up, waits for it, and then interrupts it. */
  static void stop(Thread thread, TopicReader reader, long millis) {
    if (reader != null) {
      reader.consumer.wakeup();
    }
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
