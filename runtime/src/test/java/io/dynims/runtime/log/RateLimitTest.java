package io.dynims.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {

  private final RateLimit limit = new RateLimit(60_000);

  @Test
  void permitsOneLinePerPeriodAndCountsTheOthers() {
    assertThat(limit.permit(5)).isTrue();
    assertThat(limit.suppressed()).isZero();
    assertThat(limit.permit(6)).isFalse();
    assertThat(limit.permit(60_004)).isFalse();

    assertThat(limit.permit(60_005)).isTrue();
    assertThat(limit.suppressed()).isEqualTo(2);
    assertThat(limit.permit(120_005)).isTrue();
    assertThat(limit.suppressed()).isZero();
  }

  @Test
  void isNotSilencedByAClockThatIsSetBack() {
    assertThat(limit.permit(10_000_000)).isTrue();
    assertThat(limit.permit(6_400_000)).isTrue();
  }
}
