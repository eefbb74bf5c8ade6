package io.dynims.flink;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.runtime.backlog.PartitionEnds;
import io.dynims.runtime.log.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a source which records to skip because it has fallen behind. A thread of its own asks the
 * broker where the source's partitions end, as a source that waits for the job does not ask.
 */
final class BacklogSkipper implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BacklogSkipper.class);
  private static final long LOG_PERIOD_MILLIS = 60_000;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);
  private static final long CLOSE_MILLIS = 5_000;

  private final Map<TopicPartition, Watched> partitions = new ConcurrentHashMap<>();
  private final RateLimit log = new RateLimit(LOG_PERIOD_MILLIS);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread;

  /** A partition, and where the source last went on after it had fallen behind. */
  private static final class Watched {
    final PartitionEnds ends = new PartitionEnds();
    long nextOffset;
  }

  /**
   * Starts the thread.
   *
   * @param kafka how to reach the broker
   * @param clientId unique in this process
   */
  BacklogSkipper(Properties kafka, String clientId) {
    Properties properties = new Properties();
    properties.putAll(kafka);
    properties.setProperty("client.id", clientId);
    properties.setProperty("enable.auto.commit", "false");
    properties.setProperty("allow.auto.create.topics", "false");
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    thread = new Thread(this::run, clientId);
    thread.setDaemon(true);
    thread.start();
  }

  /** Begins to watch a partition that the source reads. */
  void add(TopicPartition partition) {
    partitions.putIfAbsent(partition, new Watched());
  }

  /** Whether to skip a record; for the source's thread. */
  boolean skips(ConsumerRecord<?, ?> record) {
    Watched partition = partitions.get(new TopicPartition(record.topic(), record.partition()));
    long next = partition == null ? record.offset() : partition.ends.next(record.offset());
    if (next == record.offset()) {
      return false;
    }
    if (next != partition.nextOffset) {
      partition.nextOffset = next;
      report(record, next);
    }
    return true;
  }

  private void report(ConsumerRecord<?, ?> record, long next) {
    if (log.permit(nowMillis())) {
      LOG.warn(
          "more than {} ms behind in {} partition {}: skipping {} messages to go on with the newest"
              + " ({} times more since the last such line)",
          PartitionEnds.OUTDATED_MILLIS,
          record.topic(),
          record.partition(),
          next - record.offset(),
          log.suppressed());
    }
  }

  private void run() {
    try (consumer) {
      while (!closing.await(PartitionEnds.NOTE_MILLIS, MILLISECONDS)) {
        note();
      }
    } catch (InterruptedException e) {
      LOG.debug("interrupted: the source ends");
    }
  }

  private void note() {
    try {
      // Assigned ones only, as the client warns of all others each time. It never polls.
      if (!consumer.assignment().equals(partitions.keySet())) {
        consumer.assign(partitions.keySet());
      }
      var ends = consumer.endOffsets(consumer.assignment(), ANSWER_TIMEOUT);
      long nowMillis = nowMillis();
      ends.forEach((partition, end) -> partitions.get(partition).ends.note(end, nowMillis));
    } catch (KafkaException e) {
      // The source itself reports that Kafka is away. Nothing is skipped without an answer.
      LOG.debug("no end offsets", e);
    }
  }

  private static long nowMillis() {
    return NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void close() throws InterruptedException {
    closing.countDown();
    consumer.wakeup();
    thread.join(CLOSE_MILLIS);
  }
}
