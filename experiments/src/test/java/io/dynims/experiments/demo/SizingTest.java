package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SizingTest {

  private static final long GIB = 1L << 30;

  @Test
  void aFullTierPutsTheNodeAtTheThreshold() {
    Sizing sizing = Sizing.of(3 * GIB, 2 * GIB, 0.95);

    double utilization = (3 * GIB + Sizing.FULL * 2 * GIB) / sizing.budgetBytes();
    assertThat(utilization).isCloseTo(0.95, within(1e-9)).isLessThanOrEqualTo(0.95);
  }

  @Test
  void theDataSetDoesNotFitButTheBurstDoes() {
    for (long tier = 64L << 20; tier <= 2 * GIB; tier += 64L << 20) {
      Sizing sizing = Sizing.of(3 * GIB, tier, 0.95);

      assertThat(sizing.dataSetBytes()).isGreaterThanOrEqualTo(tier + tier / 2);
      assertThat(sizing.dataSetBytes() % (4L * DataSet.BLOCK_BYTES)).isZero();
      assertThat(sizing.burstBytes()).isLessThan(tier);
    }
  }

  @Test
  void theBurstLeavesRoomForTheTier() {
    Sizing sizing = Sizing.of(3 * GIB, 2 * GIB, 0.95);

    assertThat(sizing.burstBytes()).isBetween(6 * GIB / 5, 14 * GIB / 10);
    assertThat(3 * GIB + sizing.burstBytes()).isLessThan((long) (0.95 * sizing.budgetBytes()));
  }

  @Test
  void theTierIsAQuarterOfASmallMachine() {
    assertThat(Sizing.tierMaxBytes(4 * GIB)).isEqualTo(GIB);
    assertThat(Sizing.tierMaxBytes(8 * GIB)).isEqualTo(2 * GIB);
    assertThat(Sizing.tierMaxBytes(64 * GIB)).isEqualTo(2 * GIB);
  }

  @Test
  void theSmallJobIsSmallAndLeavesNothingBehind() {
    Sizing sizing = Sizing.of(3 * GIB, 2 * GIB, 0.95);
    LoadProfile job = sizing.smallJob();

    // More than the dead band of 1 %, or the tier would not change.
    assertThat(job.peakBytes()).isBetween(sizing.budgetBytes() / 100, sizing.burstBytes() / 10);
    assertThat(job.bytesAt(job.durationMillis())).isZero();
    assertThat(job.durationMillis()).isLessThanOrEqualTo(10_000);
  }
}
