package io.dynims.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class SeedsTest {

  private final String given = System.getProperty(Seeds.PROPERTY);

  @AfterEach
  void restore() {
    set(given);
  }

  @Test
  void aFailureNamesItsSeedAndThatSeedRepeatsIt() {
    set(null);
    List<Long> used = new ArrayList<>();
    assertThatThrownBy(
            () ->
                Seeds.run(
                    seed -> {
                      used.add(seed);
                      assertThat(seed).as("the sum").isNull();
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("with -Ddynims.seed=%d: [the sum]", used.get(0))
        .hasCauseInstanceOf(AssertionError.class);

    set("" + used.get(0));
    Seeds.run(used::add);

    assertThat(used).hasSize(2).containsOnly(used.get(0));
  }

  @Test
  void eachRunHasAnotherSeed() {
    set(null);
    List<Long> used = new ArrayList<>();

    Seeds.run(used::add);
    Seeds.run(used::add);

    assertThat(used).doesNotHaveDuplicates();
  }

  @Test
  void aSkippedTestStaysSkipped() {
    assertThatThrownBy(() -> Seeds.run(seed -> abort("needs root: to mount")))
        .isInstanceOf(TestAbortedException.class);
  }

  private static void set(String value) {
    if (value == null) {
      System.clearProperty(Seeds.PROPERTY);
    } else {
      System.setProperty(Seeds.PROPERTY, value);
    }
  }
}
