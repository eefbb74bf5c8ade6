package io.dynims.controller.kafka;

import io.dynims.core.backlog.PartitionEnds;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Moves a consumer that has fallen behind to the newest messages. It follows whatever partitions
 * the consumer is assigned. For use by the consumer's thread.
 */
final class BacklogSeeker {

  private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(500);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionEnds> ends = new HashMap<>();
  private Long askedMillis;

  BacklogSeeker(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  /**
   * Asks a few times a second how far the consumer is behind, and seeks if that is too far.
   *
   * @param nowMillis the time by a clock that is never set
   * @return how many messages are skipped
   */
  long seek(long nowMillis) {
    if (askedMillis != null && nowMillis - askedMillis < PartitionEnds.NOTE_MILLIS) {
      return 0;
    }
    askedMillis = nowMillis;
    Set<TopicPartition> assigned = consumer.assignment();
    ends.keySet().retainAll(assigned);
    try {
      long skipped = 0;
      for (var end : consumer.endOffsets(assigned, ANSWER_TIMEOUT).entrySet()) {
        skipped += seek(end.getKey(), end.getValue(), nowMillis);
      }
      return skipped;
    } catch (TimeoutException e) {
      // Kafka is away. Nothing is skipped without an answer.
      return 0;
    }
  }

  private long seek(TopicPartition partition, long endOffset, long nowMillis) {
    PartitionEnds known = ends.computeIfAbsent(partition, added -> new PartitionEnds());
    known.note(endOffset, nowMillis);
    long offset = consumer.position(partition, ANSWER_TIMEOUT);
    long next = known.next(offset);
    if (next > offset) {
      consumer.seek(partition, next);
    }
    return next - offset;
  }
}
