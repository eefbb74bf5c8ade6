package io.dynims.controller.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.runtime.backlog.PartitionEnds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BacklogSeekerTest {

  private static final TopicPartition ONE = new TopicPartition("targets", 0);
  private static final TopicPartition OTHER = new TopicPartition("targets", 1);

  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final Map<TopicPartition, Long> endOffsets = new HashMap<>();
  private final BacklogSeeker seeker = new BacklogSeeker(consumer, this::lag);
  private int asked;

  @BeforeEach
  void assign() {
    consumer.assign(List.of(ONE, OTHER));
    consumer.seek(ONE, 0);
    consumer.seek(OTHER, 0);
  }

  @Test
  void goesOnWithTheNewestOfEachPartitionThatIsTooFarBehind() {
    for (long now = 0; now < 4_000; now += PartitionEnds.NOTE_MILLIS) {
      assertThat(seek(now, now, 2 * now)).isZero();
      consumer.seek(ONE, now);
      consumer.seek(OTHER, 2 * now);
    }
    consumer.seek(ONE, 1_000);

    assertThat(seek(4_000, 4_000, 8_000)).isEqualTo(2_500);
    assertThat(consumer.position(ONE)).isEqualTo(3_500);
    assertThat(consumer.position(OTHER)).isEqualTo(7_500);
  }

  @Test
  void asksNotMoreOftenThanNeeded() {
    seek(0, 0, 0);
    int before = asked;
    seeker.seek(PartitionEnds.NOTE_MILLIS - 1);
    assertThat(asked).isEqualTo(before);
    seeker.seek(PartitionEnds.NOTE_MILLIS);
    assertThat(asked).isGreaterThan(before);
  }

  @Test
  void skipsNothingWhileTheLagIsUnknown() {
    seek(0, 0, 0);
    endOffsets.clear();
    assertThat(seeker.seek(10_000)).isZero();
    assertThat(consumer.position(ONE)).isZero();
  }

  @Test
  void forgetsAPartitionThatIsAssignedToAnother() {
    seek(0, 1_000, 0);
    consumer.assign(List.of(OTHER));
    consumer.seek(OTHER, 0);
    assertThat(seek(PartitionEnds.NOTE_MILLIS, 1_000, 0)).isZero();
    consumer.assign(List.of(ONE, OTHER));
    consumer.seek(ONE, 0);
    assertThat(seek(10_000, 1_000, 0)).as("messages of a partition that is new").isZero();
    assertThat(consumer.position(ONE)).isZero();
  }

  private long seek(long nowMillis, long oneEndOffset, long otherEndOffset) {
    endOffsets.putAll(Map.of(ONE, oneEndOffset, OTHER, otherEndOffset));
    return seeker.seek(nowMillis);
  }

  private OptionalLong lag(TopicPartition partition) {
    asked++;
    Long end = endOffsets.get(partition);
    return end == null ? OptionalLong.empty() : OptionalLong.of(end - consumer.position(partition));
  }
}
