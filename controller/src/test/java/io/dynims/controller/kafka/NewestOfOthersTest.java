package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class NewestOfOthersTest {

  private static final long SECOND_NANOS = SECONDS.toNanos(1);

  private final NewestOfOthers others = new NewestOfOthers();

  @Test
  void keepsTheNewestOfEachTierForHalfASecond() {
    put(0, 1, "n1/memory");
    put(0, 2, "n1/memory");
    put(1, 7, "n2/memory");

    assertThat(offsets(others.drain(Set.of(), SECOND_NANOS))).containsExactlyInAnyOrder(2L, 7L);
    put(0, 3, "n1/memory");
    assertThat(others.drain(Set.of(), SECOND_NANOS + SECOND_NANOS / 4)).as("not due").isEmpty();
    assertThat(offsets(others.drain(Set.of(), 2 * SECOND_NANOS))).containsExactly(3L);
    assertThat(others.drain(Set.of(), 3 * SECOND_NANOS)).isEmpty();
  }

  @Test
  void dropsWhatThisControllerServesByNow() {
    put(0, 1, "n1/memory");
    put(1, 7, "n2/memory");

    assertThat(offsets(others.drain(Set.of(0), SECOND_NANOS))).containsExactly(7L);
  }

  private void put(int partition, long offset, String key) {
    others.put(new ConsumerRecord<>("dynims.targets", partition, offset, key, new byte[0]));
  }

  private static List<Long> offsets(List<ConsumerRecord<String, byte[]>> records) {
    return records.stream().map(ConsumerRecord::offset).toList();
  }
}
