package io.dynims.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DivisionTest {

  private static final double[] ROOMY = {1e9, 1e9, 1e9};

  @Test
  void aStepIsDividedByWeight() {
    assertThat(Division.divide(60, new double[] {1, 2, 3}, ROOMY, 0)).containsExactly(10, 20, 30);
    assertThat(Division.divide(-60, new double[] {1, 2, 3}, ROOMY, 0))
        .containsExactly(-10, -20, -30);
  }

  @Test
  void whatOneHasNoRoomForTheOthersTakeByWeight() {
    assertThat(Division.divide(60, new double[] {3, 2, 1}, new double[] {12, 1e9, 1e9}, 0))
        .containsExactly(12, 32, 16);
  }

  @Test
  void aRoomThatFillsUpOnlyInALaterRoundIsKept() {
    assertThat(Division.divide(60, new double[] {1, 1, 1}, new double[] {6, 21, 1e9}, 0))
        .containsExactly(6, 21, 33);
  }

  @Test
  void whatNobodyHasRoomForIsLeft() {
    assertThat(Division.divide(60, new double[] {1, 1}, new double[] {5, 7}, 0))
        .containsExactly(5, 7);
    assertThat(Division.divide(60, new double[] {1, 1}, new double[] {0, 0}, 0))
        .containsExactly(0, 0);
  }

  @Test
  void theShareOfOthersIsLeftToThem() {
    assertThat(Division.divide(60, new double[] {1}, new double[] {1e9}, 2)).containsExactly(20);
  }

  @Test
  void partsAddUpAndNeverExceedTheirRooms() {
    Random random = new Random(7);
    for (int round = 0; round < 10_000; round++) {
      double[] weights = random.doubles(1 + random.nextInt(5), 0.01, 1_000).toArray();
      double[] rooms = random.doubles(weights.length, 0, 1e12).toArray();
      double step = (random.nextDouble() - 0.5) * 4e12;

      double[] parts = Division.divide(step, weights, rooms, 0);

      double most = Math.min(Math.abs(step), Arrays.stream(rooms).sum());
      assertThat(Math.abs(Arrays.stream(parts).sum())).isCloseTo(most, within(1.0));
      for (int i = 0; i < parts.length; i++) {
        assertThat(Math.abs(parts[i])).isLessThanOrEqualTo(rooms[i]);
      }
    }
  }
}
