package io.dynims.controller.kafka;

import io.dynims.runtime.backlog.PartitionEnds;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Moves a consumer that has fallen behind to the newest messages. It follows whatever partitions
 * the consumer is assigned. For use by the consumer's thread.
 */
final class BacklogSeeker {

  private final Consumer<?, ?> consumer;
  private final Function<TopicPartition, OptionalLong> lag;
  private final Map<TopicPartition, PartitionEnds> ends = new HashMap<>();
  private Long notedMillis;

  /** By what the consumer's last fetch told: a request of its own could wait for a broker. */
  BacklogSeeker(Consumer<?, ?> consumer) {
    this(consumer, consumer::currentLag);
  }

  /**
   * A seeker.
   *
   * @param lag the number of messages behind the consumer's position, if it is known
   */
  BacklogSeeker(Consumer<?, ?> consumer, Function<TopicPartition, OptionalLong> lag) {
    this.consumer = consumer;
    this.lag = lag;
  }

  /**
   * Notes a few times a second how far the consumer is behind, and seeks if that is too far.
   *
   * @param nowMillis the time by a clock that is never set
   * @return how many messages are skipped
   */
  long seek(long nowMillis) {
    if (notedMillis != null && nowMillis - notedMillis < PartitionEnds.NOTE_MILLIS) {
      return 0;
    }
    notedMillis = nowMillis;
    Set<TopicPartition> assigned = consumer.assignment();
    ends.keySet().retainAll(assigned);
    long skipped = 0;
    for (TopicPartition partition : assigned) {
      OptionalLong behind = lag.apply(partition);
      // Known only with the position, which then is not waited for.
      if (behind.isPresent()) {
        long offset = consumer.position(partition);
        skipped += seek(partition, offset, offset + behind.getAsLong(), nowMillis);
      }
    }
    return skipped;
  }

  private long seek(TopicPartition partition, long offset, long endOffset, long nowMillis) {
    PartitionEnds known = ends.computeIfAbsent(partition, added -> new PartitionEnds());
    known.note(endOffset, nowMillis);
    long next = known.next(offset);
    if (next > offset) {
      consumer.seek(partition, next);
    }
    return next - offset;
  }
}
