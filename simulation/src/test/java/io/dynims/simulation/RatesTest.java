package io.dynims.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatesTest {

  @ParameterizedTest
  @CsvSource({
    "10GiB/s,   10737418240",
    "10 GiB /s, 10737418240",
    "1.5Gi,     1610612736",
    "1G,        1000000000",
    "2MB/s,     2000000",
    "4096B,     4096",
    "4096/s,    4096",
    "1048576,   1048576",
    "0,         0"
  })
  void readsBytesPerSecond(String text, double expected) {
    assertThat(Rates.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "-1G", "1G/min", "10 parsecs/s", "B/s"})
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> Rates.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a number of bytes per second");
  }
}
