package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Keeps the newest target of each tier that another controller serves, so that this one need decode
 * only two a second to show the whole fleet. For use by one thread.
 */
final class NewestOfOthers {

  private static final long PERIOD_NANOS = MILLISECONDS.toNanos(500);

  private Map<String, ConsumerRecord<String, byte[]>> newest = new HashMap<>();
  private long drainedNanos;

  void put(ConsumerRecord<String, byte[]> record) {
    newest.put(record.key(), record);
  }

  /**
   * What was kept, if that is due; otherwise nothing.
   *
   * @param served the partitions that this controller serves itself by now
   */
  List<ConsumerRecord<String, byte[]>> drain(Set<Integer> served, long nowNanos) {
    if (newest.isEmpty() || nowNanos - drainedNanos < PERIOD_NANOS) {
      return List.of();
    }
    drainedNanos = nowNanos;
    List<ConsumerRecord<String, byte[]>> drained = new ArrayList<>(newest.values());
    newest = new HashMap<>();
    // A target kept from before a partition changed hands must not follow a newer one.
    drained.removeIf(record -> served.contains(record.partition()));
    return drained;
  }
}
