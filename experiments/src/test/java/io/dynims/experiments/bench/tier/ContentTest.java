package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ContentTest {

  private static final int LENGTH = 4096;

  @Test
  void bytesDependOnTheirOffsetAlone() {
    ByteBuffer whole = ByteBuffer.allocateDirect(2 * LENGTH);
    Content.fill(whole, 0);
    ByteBuffer part = whole.slice(LENGTH, LENGTH);

    assertThat(Content.matches(part, LENGTH)).isTrue();
    assertThat(Content.matches(part, 0)).isFalse();
    assertThat(Content.matches(part, LENGTH + 8)).isFalse();
  }

  @Test
  void oneWrongByteIsFound() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    Content.fill(bytes, 0);
    for (int at : new int[] {0, LENGTH / 2, LENGTH - 1}) {
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
      assertThat(Content.matches(bytes, 0)).as("byte %d", at).isFalse();
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
    }
    assertThat(Content.matches(bytes, 0)).isTrue();
  }

  @Test
  void samplesFindBytesOfAnotherPlace() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    Content.fill(bytes, 0);
    assertThat(Content.matchesInSamples(bytes, 0)).isTrue();
    assertThat(Content.matchesInSamples(bytes, LENGTH)).isFalse();

    bytes.put(LENGTH - 1, (byte) (bytes.get(LENGTH - 1) ^ 1));
    assertThat(Content.matchesInSamples(bytes, 0)).isFalse();
  }

  @Test
  void zerosAreNotContent() {
    assertThat(Content.matches(ByteBuffer.allocate(LENGTH), LENGTH)).isFalse();
  }
}
