package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContentTest {

  private static final int LENGTH = 4096;

  @Test
  void bytesDependOnTheirOffsetAlone() {
    byte[] whole = new byte[2 * LENGTH];
    Content.fill(whole, whole.length, 0);
    byte[] part = new byte[LENGTH];
    System.arraycopy(whole, LENGTH, part, 0, LENGTH);

    assertThat(Content.matches(part, LENGTH, LENGTH)).isTrue();
    assertThat(Content.matches(part, LENGTH, 0)).isFalse();
    assertThat(Content.matches(part, LENGTH, LENGTH + 8)).isFalse();
  }

  @Test
  void oneWrongByteIsFound() {
    byte[] bytes = new byte[LENGTH];
    Content.fill(bytes, LENGTH, 0);
    for (int at : new int[] {0, LENGTH / 2, LENGTH - 1}) {
      bytes[at] ^= 1;
      assertThat(Content.matches(bytes, LENGTH, 0)).as("byte %d", at).isFalse();
      bytes[at] ^= 1;
    }
    assertThat(Content.matches(bytes, LENGTH, 0)).isTrue();
  }

  @Test
  void zerosAreNotContent() {
    assertThat(Content.matches(new byte[LENGTH], LENGTH, LENGTH)).isFalse();
  }
}
