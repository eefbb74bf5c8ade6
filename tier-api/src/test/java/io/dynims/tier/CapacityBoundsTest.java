package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityBoundsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 10",
    "9, 10",
    "10, 10",
    "55, 55",
    "100, 100",
    "101, 100",
    "9223372036854775807, 100"
  })
  void clampsToTheClosestCapacityWithinTheBounds(long desired, long expected) {
    assertThat(new CapacityBounds(10, 100).clamp(desired)).isEqualTo(expected);
  }

  @Test
  void rejectsAnEmptyOrNegativeRange() {
    assertThatThrownBy(() -> new CapacityBounds(11, 10))
        .hasMessage("minBytes: 11 is above maxBytes, 10");
    assertThatThrownBy(() -> new CapacityBounds(-1, 10)).hasMessage("minBytes: -1 is below 0");
    assertThatThrownBy(() -> new CapacityBounds(-2, -1)).hasMessage("minBytes: -2 is below 0");
  }
}
