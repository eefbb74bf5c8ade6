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

  /** Of YAML 1.1, and in many templates; the document's own fields go before those it merges. */
  @Test
  void mergesWhatTheMergeKeyNames() {
    String text = "a: &a {min: 0, max: 1Gi}\nb:\n  <<: *a\n  max: 6Gi\n";
    assertThat(PolicyText.documents(text))
        .containsExactly(
            Map.of("a", Map.of("min", "0", "max", "1Gi"), "b", Map.of("min", "0", "max", "6Gi")));
  }

  @Test
  void refusesANumberThatWouldTakeMinutesToConvert() {
    String digits = "1".repeat(2_000_000);
    assertThatThrownBy(() -> PolicyText.documents("kind: " + digits))
        .hasMessage(
            "not YAML: a value of more than 1024 characters is not in quotes: "
                + "1".repeat(32)
                + "…");
    assertThatThrownBy(() -> PolicyText.documents("kind: !!int \"" + digits + "\""))
        .hasMessageStartingWith("not YAML: a value of more than 1024 characters");
  }

  @Test
  void readsLongTextsInQuotesAsKubectlAddsThem() {
    String long20k = "{}".repeat(10_000);
    assertThat(PolicyText.documents("a: '" + long20k + "'")).containsExactly(Map.of("a", long20k));
  }
}
