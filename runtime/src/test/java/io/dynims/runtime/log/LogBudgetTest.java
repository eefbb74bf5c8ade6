package io.dynims.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogBudgetTest {

  private static final long NOW_MILLIS = 1_800_000_000_000L;

  private final LogBudget budget = new LogBudget(5, 10);

  @Test
  void permitsABurstThenSomeASecondAndCountsTheOthers() {
    assertThat(permitted(8, NOW_MILLIS)).isEqualTo(5);
    assertThat(budget.takeSuppressed(NOW_MILLIS)).as("no room for a line about them").isZero();

    assertThat(permitted(8, NOW_MILLIS + 300)).isEqualTo(3);
    assertThat(budget.takeSuppressed(NOW_MILLIS + 400)).isEqualTo(3 + 5);
    assertThat(budget.takeSuppressed(NOW_MILLIS + 1_000)).isZero();
  }

  @Test
  void savesNoMoreThanABurst() {
    assertThat(permitted(1, NOW_MILLIS)).isEqualTo(1);
    assertThat(permitted(100, NOW_MILLIS + 3_600_000)).isEqualTo(5);
  }

  @Test
  void isNotSilencedByAClockThatIsSetBack() {
    assertThat(permitted(8, NOW_MILLIS)).isEqualTo(5);
    assertThat(permitted(8, NOW_MILLIS - 3_600_000)).isZero();
    assertThat(permitted(8, NOW_MILLIS - 3_600_000 + 200)).isEqualTo(2);
  }

  private long permitted(int lines, long nowMillis) {
    return IntStream.range(0, lines).filter(i -> budget.permit(nowMillis)).count();
  }
}
