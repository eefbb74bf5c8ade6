package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "? ", "- "})
  void refusesWhatWouldOverflowTheStack(String level) {
    assertThatThrownBy(() -> PolicyText.documents(level.repeat(100_000) + "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not YAML: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-010", "1e11", "1.10", "0x10", ".5"})
  void numbersStayAsTheyAreWritten(String number) {
    assertThat(PolicyText.documents("a: " + number)).containsExactly(Map.of("a", number));
  }

  @Test
  void readsAtOnceDigitsThatWouldTakeMinutesToConvert() {
    String digits = "1".repeat(2_000_000);
    assertThat(PolicyText.documents("a: " + digits)).containsExactly(Map.of("a", digits));
    assertThatThrownBy(() -> PolicyText.documents("a: !!int \"" + digits + "\""))
        .hasMessageStartingWith("not YAML: could not determine a constructor for the tag");
  }

  @Test
  void readsLongTextsInQuotesAsKubectlAddsThem() {
    String long20k = "{}".repeat(10_000);
    assertThat(PolicyText.documents("a: '" + long20k + "'")).containsExactly(Map.of("a", long20k));
  }
}
