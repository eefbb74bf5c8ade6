package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusDebounceTest {

  private static final long MILLI = 1_000_000;
  private static final TierDocument DOCUMENT = TestCluster.document("alluxio", Instant.EPOCH, "{}");

  private final StatusDebounce debounce = new StatusDebounce();
  private final long generation = DOCUMENT.generation();

  @Test
  void aReportedSpecIsDueAtOnce() {
    assertThat(debounce.isDue(DOCUMENT, generation, false, 0)).isTrue();
  }

  @Test
  void aNewSpecThatHasConvergedIsDueAfterHalfASecond() {
    assertThat(debounce.isDue(DOCUMENT, generation - 1, true, 0)).isFalse();
    assertThat(debounce.isDue(DOCUMENT, generation - 1, true, 499 * MILLI)).isFalse();
    assertThat(debounce.isDue(DOCUMENT, generation - 1, true, 500 * MILLI)).isTrue();
  }

  @Test
  void aNewSpecIsDueAfterThreeSecondsOrOnceItHasConverged() {
    assertThat(debounce.isDue(DOCUMENT, 0, false, 0)).isFalse();
    assertThat(debounce.isDue(DOCUMENT, 0, false, 2_999 * MILLI)).isFalse();
    assertThat(debounce.isDue(DOCUMENT, 0, true, 2_999 * MILLI)).isTrue();
    assertThat(debounce.isDue(DOCUMENT, 0, false, 3_000 * MILLI)).isTrue();
  }

  @Test
  void aRecreatedResourceStartsAgain() {
    debounce.isDue(DOCUMENT, 0, true, 0);
    debounce.retain(Set.of());

    assertThat(debounce.isDue(DOCUMENT, 0, true, 600 * MILLI)).isFalse();
  }
}
