package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusDebounceTest {

  private static final long MILLI = 1_000_000;
  private static final TierDocument DOCUMENT = TestCluster.document("alluxio", Instant.EPOCH, "{}");

  private final StatusDebounce settling = new StatusDebounce();
  private final long generation = DOCUMENT.generation();

  @Test
  void aSpecThatWasToldAlreadyHasSettled() {
    assertThat(settling.isOver(DOCUMENT, generation, false, 0)).isTrue();
  }

  @Test
  void aNewSpecThatIsReadyIsToldAfterHalfASecond() {
    assertThat(settling.isOver(DOCUMENT, generation - 1, true, 0)).isFalse();
    assertThat(settling.isOver(DOCUMENT, generation - 1, true, 499 * MILLI)).isFalse();
    assertThat(settling.isOver(DOCUMENT, generation - 1, true, 500 * MILLI)).isTrue();
  }

  @Test
  void oneThatIsNotReadyIsToldAfterThreeSecondsOrWhenItBecomesSo() {
    assertThat(settling.isOver(DOCUMENT, 0, false, 0)).isFalse();
    assertThat(settling.isOver(DOCUMENT, 0, false, 2_999 * MILLI)).isFalse();
    assertThat(settling.isOver(DOCUMENT, 0, true, 2_999 * MILLI)).isTrue();
    assertThat(settling.isOver(DOCUMENT, 0, false, 3_000 * MILLI)).isTrue();
  }

  @Test
  void oneOfTheSameNameThatIsNewBeginsAnew() {
    settling.isOver(DOCUMENT, 0, true, 0);
    settling.keep(Set.of());

    assertThat(settling.isOver(DOCUMENT, 0, true, 600 * MILLI)).isFalse();
  }
}
