package io.dynims.controller.fleet;

import static io.dynims.controller.fleet.Decisions.decision;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Seeds;
import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class DownsamplerTest {

  private static final long START_MILLIS = 1_800_000_000_000L;

  private final Downsampler downsampler = new Downsampler();

  @Test
  void keepsTheHighestUtilizationAndTheSmallestCapacityOfEachHalfMinute() {
    Target highest = decision(START_MILLIS + 5_000, 0.99, 700);
    Target smallest = decision(START_MILLIS + 5_100, 0.96, 600);
    Target next = decision(START_MILLIS + 30_000, 0.5, 900);
    for (Target each :
        List.of(
            decision(START_MILLIS, 0.9, 800),
            highest,
            smallest,
            decision(START_MILLIS + 29_999, 0.9, 800),
            next)) {
      downsampler.add(each);
    }

    assertThat(kept()).containsExactly(highest, smallest, next);
  }

  @Test
  void keepsOneDecisionIfItIsBoth() {
    downsampler.add(decision(START_MILLIS, 0.90, 800));
    downsampler.add(decision(START_MILLIS + 100, 0.91, 800));
    downsampler.add(decision(START_MILLIS + 200, 0.91, 800));

    assertThat(kept()).containsExactly(decision(START_MILLIS + 100, 0.91, 800));
  }

  @RepeatedTest(5)
  void isIndependentOfOrderAndRepetitions() {
    Seeds.run(this::isIndependentOfOrderAndRepetitions);
  }

  private void isIndependentOfOrderAndRepetitions(long seed) {
    Random random = new Random(seed);
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      targets.add(decision(START_MILLIS + i * 100L, random.nextInt(20) / 20.0, random.nextInt(10)));
    }
    Downsampler other = new Downsampler();
    targets.forEach(downsampler::add);
    targets.addAll(targets.subList(0, 1_000));
    Collections.shuffle(targets, random);
    targets.forEach(other::add);

    assertThat(other.between(0, Long.MAX_VALUE)).isEqualTo(kept());
  }

  @Test
  void keepsAnHourAndDropsOlderDecisions() {
    for (long millis = START_MILLIS; millis < START_MILLIS + 7_200_000; millis += 1_000) {
      downsampler.add(decision(millis, 0.9, 800));
    }

    assertThat(kept().size()).isBetween(120, 130);
    assertThat(kept().get(0).decidedMillis())
        .isBetween(START_MILLIS + 3_200_000, START_MILLIS + 3_600_000);
    assertThat(downsampler.between(START_MILLIS + 7_170_000, Long.MAX_VALUE)).hasSize(1);
  }

  private List<Target> kept() {
    return downsampler.between(0, Long.MAX_VALUE);
  }
}
