package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.policy.Vacancy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WithdrawalDelayTest {

  private static final Vacancy FOLDER = new Vacancy(true, Set.of());
  private static final Vacancy ONE = new Vacancy(false, Set.of("one"));
  private static final Vacancy BOTH = new Vacancy(false, Set.of("one", "two"));
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final WithdrawalDelay delay = new WithdrawalDelay(30_000);

  @Test
  void anEmptiedFolderWithdrawsNothingUntilTheDelayHasPassed() {
    assertThat(pending(FOLDER, 100)).isEqualTo(FOLDER);
    assertThat(pending(FOLDER, 129)).isEqualTo(FOLDER);
    assertThat(pending(FOLDER, 130)).isEqualTo(Vacancy.NONE);
  }

  @Test
  void documentsThatComeBackStartTheDelayAnew() {
    pending(FOLDER, 100);
    assertThat(pending(Vacancy.NONE, 120)).isEqualTo(Vacancy.NONE);

    assertThat(pending(FOLDER, 125)).isEqualTo(FOLDER);
    assertThat(pending(FOLDER, 154)).isEqualTo(FOLDER);
    assertThat(pending(FOLDER, 155)).isEqualTo(Vacancy.NONE);
  }

  @Test
  void eachTierHasADelayOfItsOwn() {
    pending(ONE, 100);
    assertThat(pending(BOTH, 120)).isEqualTo(BOTH);

    assertThat(pending(BOTH, 130)).isEqualTo(new Vacancy(false, Set.of("two")));
    assertThat(pending(BOTH, 150)).isEqualTo(Vacancy.NONE);
  }

  @Test
  void withoutADelayEverythingIsWithdrawnAtOnce() {
    assertThat(new WithdrawalDelay(0).pending(FOLDER, 1)).isEqualTo(Vacancy.NONE);
  }

  private Vacancy pending(Vacancy vacancy, long seconds) {
    return delay.pending(vacancy, seconds * SECOND_NANOS);
  }
}
