package io.dynims.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildVersionTest {

  @Test
  void isTheVersionOfTheBuildAndNotItsPlaceholder() {
    assertThat(BuildVersion.text()).matches("\\d+\\.\\d+\\.\\d+(-\\w+)?");
  }
}
