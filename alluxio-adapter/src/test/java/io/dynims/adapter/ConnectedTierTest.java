package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.tier.CapacityBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectedTierTest {

  private final ConnectedTier tier =
      new ConnectedTier(null, null, new CapacityBounds(100, 1_000), "2.9.6");

  @ParameterizedTest
  @CsvSource({"1000, 0", "400, 600", "100, 900", "99, 900", "0, 900", "1001, 0"})
  void neverReservesMoreThanTheWorkerHasOrTheMinimumAllows(long desired, long expectedReserved) {
    assertThat(tier.targetReservedBytes(desired)).isEqualTo(expectedReserved);
  }

  @Test
  void reservesNothingBeforeTheFirstRequest() {
    assertThat(tier.targetReservedBytes(Long.MAX_VALUE)).isZero();
  }

  @Test
  void theCapacityIsNotNegativeAfterTheMaximumWasCorrectedDownwards() {
    assertThat(tier.capacityBytes(300)).isEqualTo(700);
    assertThat(tier.capacityBytes(1_500)).isZero();
  }
}
