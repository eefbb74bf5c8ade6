package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.tier.CapacityBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectedTierTest {

  private final ConnectedTier tier =
      new ConnectedTier(null, null, new CapacityBounds(100, 1_000), 1_000, "2.9.6");

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
  void reservesWhatTheWorkerHasBeyondTheMaximum() {
    ConnectedTier larger =
        new ConnectedTier(null, null, new CapacityBounds(0, 1_000), 1_500, "2.9.6");
    assertThat(larger.targetReservedBytes(Long.MAX_VALUE)).isEqualTo(500);
    assertThat(larger.targetReservedBytes(400)).isEqualTo(1_100);
    assertThat(larger.capacityBytes(500)).isEqualTo(1_000);
    assertThat(larger.capacityBytes(0)).isEqualTo(1_500);
  }

  @Test
  void theCapacityIsNotNegativeAfterTheMaximumWasCorrectedDownwards() {
    assertThat(tier.capacityBytes(300)).isEqualTo(700);
    assertThat(tier.capacityBytes(1_500)).isZero();
  }
}
