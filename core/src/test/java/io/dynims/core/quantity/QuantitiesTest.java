package io.dynims.core.quantity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1048576, 1048576",
    "60Gi, 64424509440",
    "60G, 60000000000",
    "1.5Ki, 1536",
    "64 Ti, 70368744177664",
    "1.3, 2",
    "0.1Gi, 107374183",
    "1.1Gi, 1181116007",
    "1.3Ti, 1429365116109"
  })
  void readsBytes(String text, long expected) {
    assertThat(Quantities.bytes(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-1", "1GiB", "1e11", "9999999Ti", "8388607.99999999999999Ti", "50%", "100ms"})
  void refusesWhatIsNoByteCount(String text) {
    assertThatThrownBy(() -> Quantities.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void refusesAtOnceWhatWouldTakeMinutesToRead() {
    for (String text : List.of("1".repeat(2_000_000), "1" + " ".repeat(500_000) + "!")) {
      assertThatThrownBy(() -> Quantities.bytes(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("…' is not a quantity: it is too long");
    }
  }

  @ParameterizedTest
  @CsvSource({"100ms, 100", "2s, 2000", "0.5s, 500", "5m, 300000", "1h, 3600000"})
  void readsDurations(String text, long expected) {
    assertThat(Quantities.millis(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100", "1d", "ms", "0.1ms"})
  void refusesWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> Quantities.millis(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsPercentages() {
    assertThat(Quantities.isPercentage("25%")).isTrue();
    assertThat(Quantities.ratio("25%")).isEqualTo(0.25);
    assertThatThrownBy(() -> Quantities.ratio("101%")).hasMessageContaining("from 0% to 100%");
  }
}
