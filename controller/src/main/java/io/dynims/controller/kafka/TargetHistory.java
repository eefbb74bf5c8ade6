package io.dynims.controller.kafka;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Reads once, on a thread of its own, what the topic of targets holds of the time before this
 * program started, so that a restart does not forget it.
 */
public final class TargetHistory implements AutoCloseable {

  /** Takes what was read. */
  @FunctionalInterface
  public interface Receiver {

    /** Takes targets, the older before the newer, and returns when they are taken. */
    void history(List<Target> batch) throws InterruptedException;
  }

  private static final Logger LOG = LogManager.getLogger(TargetHistory.class);
  private static final Duration SPAN = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long RETRY_MILLIS = 1_000;

  private final KafkaSettings settings;
  private final Clock clock;
  private final int maxTargets;
  private final Receiver receiver;
  private final Thread thread;

  /**
   * Starts to read.
   *
   * @param maxTargets the most to read; where there are more, the newest
   * @param receiver called on the thread that reads
   */
  public TargetHistory(KafkaSettings settings, Clock clock, int maxTargets, Receiver receiver) {
    this.settings = settings;
    this.clock = clock;
    this.maxTargets = maxTargets;
    this.receiver = receiver;
    this.thread = new Thread(this::run, "history");
    thread.start();
  }

  private void run() {
    try {
      while (!read()) {
        Thread.sleep(RETRY_MILLIS);
      }
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("the history is not read any more");
    }
  }

  /** Whether there is nothing left to try. */
  private boolean read() throws InterruptedException {
    try (var consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.TARGETS).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      if (partitions.isEmpty()) {
        return false;
      }
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = seek(consumer, partitions);
      int count = 0;
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        List<Target> batch = new ArrayList<>();
        consumer.poll(POLL).forEach(record -> take(record, batch));
        receiver.history(batch);
        count += batch.size();
      }
      LOG.info("{} decisions of the time before the start were read", count);
      return true;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.debug("the history cannot be read, trying again", e);
      return false;
    }
  }

  /** Seeks to where the history begins, and returns where it ends. */
  private Map<TopicPartition, Long> seek(
      KafkaConsumer<String, byte[]> consumer, List<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    long fromMillis = clock.millis() - SPAN.toMillis();
    Map<TopicPartition, Long> wanted = new HashMap<>();
    partitions.forEach(partition -> wanted.put(partition, fromMillis));
    Map<TopicPartition, OffsetAndTimestamp> since = consumer.offsetsForTimes(wanted);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp first = since.get(partition);
      long offset = first == null ? ends.get(partition) : first.offset();
      long newest = ends.get(partition) - maxTargets / partitions.size();
      consumer.seek(partition, Math.max(begins.get(partition), Math.max(offset, newest)));
    }
    return ends;
  }

  private static void take(ConsumerRecord<String, byte[]> record, List<Target> found) {
    try {
      Target target = WireCodec.TARGET.decode(record.value());
      var unusedKey = target.key();
      found.add(target);
    } catch (WireException | IllegalArgumentException e) {
      LOG.debug("a message of the history is no target", e);
    }
  }

  private KafkaConsumer<String, byte[]> consumer() {
    return new KafkaConsumer<>(
        settings.with(
            Map.of(
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "allow.auto.create.topics",
                false,
                "max.poll.records",
                5_000,
                "default.api.timeout.ms",
                5_000)),
        new StringDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
