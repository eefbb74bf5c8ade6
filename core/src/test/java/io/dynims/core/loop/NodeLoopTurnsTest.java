package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Seeds;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NodeLoopTurnsTest extends NodeLoopHarness {

  /** A tier that fails before its first decision is no reason to decide its neighbours sooner. */
  @Test
  void aTierThatFailsGivesItsNodeNoExtraTurn() {
    know(policy(POLICY, 1_000, 2_000));
    know(ack("a", 500, 0));
    know(policy(policy("b", Mode.Enforce), 1_000, 2_000));
    sample(START, 500);
    one();

    at(START + 100);
    know(Ack.failed(new TierKey(NODE, "b"), 0, "refused", 0, START + 100));
    sample(START + 100, 500);

    assertThat(fresh()).isEmpty();
  }

  @Test
  void decidesEverySampleInSpiteOfJitter() {
    ready();
    Seeds.run(
        seed -> {
          Random random = new Random(seed);
          for (int i = 1; i <= 200; i++) {
            long t = START + 100L * i + random.nextInt(-10, 11);
            at(t);
            sample(t, 500);
            one();
          }
        });
  }

  @Test
  void decidesOnceAnIntervalWhereSamplesComeMoreOften() {
    know(policy(POLICY, 1_000, 2_000));
    know(ack("a", 500, 0));
    for (long t = START; t < START + 20_000; t += 100) {
      at(t);
      sample(t, 500);
    }
    List<Target> targets = fresh();
    assertThat(targets).hasSizeBetween(20, 21);
    for (int i = 1; i < targets.size(); i++) {
      assertThat(targets.get(i).sampledMillis() - targets.get(i - 1).sampledMillis())
          .isBetween(750L, 1_000L);
    }
  }

  @Test
  void decidesTheSampleThatIsOnTimeAfterALateOne() {
    know(POLICY);
    know(ack("a", 500, 0));
    long[] lates = {0, 50, 0, 45, 0, 30, 0, 0};
    for (int i = 0; i < lates.length; i++) {
      long t = START + 100L * i + lates[i];
      at(t);
      sample(t, 500);
      one();
    }
  }

  @Test
  void decidesOnlyOneOfTwoSamplesThatCameCloseTogether() {
    know(POLICY);
    know(ack("a", 500, 0));
    sample(START, 500);
    one();
    at(START + 180);
    sample(START + 180, 500);
    one();
    at(START + 200);
    sample(START + 200, 500);
    assertThat(fresh()).isEmpty();
    at(START + 300);
    sample(START + 300, 500);
    one();
  }

  @Test
  void takesUpAShorterIntervalAtOnce() {
    know(policy(POLICY, 600_000, 600_000));
    know(ack("a", 500, 0));
    sample(START, 500);
    one();
    know(POLICY);
    at(START + 100);
    sample(START + 100, 500);
    one();
  }
}
