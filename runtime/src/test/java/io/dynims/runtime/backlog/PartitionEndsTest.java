package io.dynims.runtime.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A partition that gets a message every millisecond, so that offsets are times. */
class PartitionEndsTest {

  private final PartitionEnds ends = new PartitionEnds();

  @Test
  void aReaderThatKeepsUpSkipsNothing() {
    for (long now = 0; now <= 20_000; now += PartitionEnds.NOTE_MILLIS) {
      ends.note(now, now);
      assertThat(ends.next(Math.max(0, now - 650))).isEqualTo(Math.max(0, now - 650));
    }
  }

  @Test
  void aReaderThatIsThreeQuartersOfASecondBehindGoesOnWithTheLastHalfSecond() {
    noteUntil(10_000);
    assertThat(ends.next(9_250)).isEqualTo(9_250);
    assertThat(ends.next(9_249)).isEqualTo(9_500);
  }

  @Test
  void aReaderThatCannotSeekSkipsAllUpToThere() {
    noteUntil(10_000);
    assertThat(ends.next(9_249)).isEqualTo(9_500);
    assertThat(ends.next(9_300)).isEqualTo(9_500);
    assertThat(ends.next(9_499)).isEqualTo(9_500);
    assertThat(ends.next(9_500)).isEqualTo(9_500);
    assertThat(ends.next(9_501)).isEqualTo(9_501);
  }

  @Test
  void aSlowReaderFallsBehindAgainBeforeItSkipsAgain() {
    noteUntil(10_000);
    long offset = ends.next(0);
    int jumps = 0;
    for (long now = 10_250; now <= 20_000; now += PartitionEnds.NOTE_MILLIS) {
      ends.note(now, now);
      offset += PartitionEnds.NOTE_MILLIS / 2;
      long next = ends.next(offset);
      jumps += next == offset ? 0 : 1;
      offset = next;
      assertThat(now - offset).isLessThanOrEqualTo(PartitionEnds.OUTDATED_MILLIS);
    }
    assertThat(jumps).as("jumps of a reader of half the messages, in 10 s").isBetween(10, 20);
  }

  @Test
  void theOnlyMessageOfAnIdlePartitionIsReadUnlessItHasWaited() {
    for (long now = 0; now <= 10_000; now += PartitionEnds.NOTE_MILLIS) {
      ends.note(7, now);
    }
    assertThat(ends.next(7)).isEqualTo(7);
    ends.note(8, 10_250);
    assertThat(ends.next(7)).isEqualTo(7);
    for (long now = 10_500; now <= 11_000; now += PartitionEnds.NOTE_MILLIS) {
      ends.note(8, now);
    }
    assertThat(ends.next(7)).isEqualTo(8);
  }

  @Test
  void skipsWhatCameWhileTheProgramStoodStill() {
    noteUntil(10_000);
    ends.note(70_000, 70_000);
    assertThat(ends.next(9_990)).isEqualTo(70_000);
    assertThat(ends.next(70_000)).isEqualTo(70_000);
  }

  @Test
  void skipsNothingOfATopicThatWasCreatedAnew() {
    noteUntil(10_000);
    assertThat(ends.next(0)).isEqualTo(9_500);
    ends.note(3, 10_250);
    assertThat(ends.next(0)).isZero();
  }

  private void noteUntil(long untilMillis) {
    for (long now = 0; now <= untilMillis; now += PartitionEnds.NOTE_MILLIS) {
      ends.note(now, now);
    }
  }
}
