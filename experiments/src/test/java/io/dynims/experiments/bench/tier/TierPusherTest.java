package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TierPusherTest {

  @Test
  void aTierIsHalvedWithinASecondAndStaysThere() {
    assertThat(TierPusher.share(StudyState.Halved, 0)).isEqualTo(1);
    assertThat(TierPusher.share(StudyState.Halved, 5)).isCloseTo(0.75, within(1e-9));
    assertThat(TierPusher.share(StudyState.Halved, 10)).isEqualTo(0.5);
    assertThat(TierPusher.share(StudyState.Halved, 1_000)).isEqualTo(0.5);
  }

  @Test
  void aTierSwingsWithinTwoSeconds() {
    assertThat(TierPusher.share(StudyState.Swinging, 10)).isEqualTo(0.5);
    assertThat(TierPusher.share(StudyState.Swinging, 15)).isCloseTo(0.75, within(1e-9));
    assertThat(TierPusher.share(StudyState.Swinging, 20)).isEqualTo(1);
    assertThat(TierPusher.share(StudyState.Swinging, 30)).isEqualTo(0.5);
  }
}
