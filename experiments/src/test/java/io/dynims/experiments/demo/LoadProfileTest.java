package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadProfileTest {

  private static final LoadProfile PROFILE =
      LoadProfile.startingAt(10).then(100, 10).then(100, 210).then(100, 210).then(0, 50);

  @ParameterizedTest
  @CsvSource({"0, 10", "99, 10", "150, 110", "200, 210", "299, 210", "300, 50", "9999, 50"})
  void isLinearBetweenPointsAndJumpsBetweenPointsOfOneTime(long millis, long bytes) {
    assertThat(PROFILE.bytesAt(millis)).isEqualTo(bytes);
  }

  @Test
  void knowsItsLengthAndItsPeak() {
    assertThat(PROFILE.durationMillis()).isEqualTo(300);
    assertThat(PROFILE.peakBytes()).isEqualTo(210);
  }

  @Test
  void isReadFromItsOwnWords() {
    assertThat(LoadProfile.parse(PROFILE.words().toArray(String[]::new))).isEqualTo(PROFILE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5:", ":5", "a:5", "0:-1", "-1:5", "100:1 50:1"})
  void refusesOtherWords(String words) {
    assertThatThrownBy(() -> LoadProfile.parse(words.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
