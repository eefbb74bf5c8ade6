package io.dynims.experiments.bench.reaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.reaction.LoopTrace.Decision;
import io.dynims.experiments.bench.reaction.LoopTrace.Sample;
import io.dynims.experiments.bench.reaction.LoopTrace.Slice;
import java.util.List;
import org.junit.jupiter.api.Test;

class HopsTest {

  @Test
  void tracesASampleThroughEveryHop() {
    Hops hops =
        Hops.of(
            new Slice(
                List.of(new Sample(1_000, 1_001), new Sample(1_100, 1_102)),
                List.of(decision(1_000, 1_003, 1_004), decision(1_100, 1_105, 1_106)),
                List.of(ack(1_000, 50, 1_010), ack(1_100, 60, 1_115))));

    assertThat(hops.whole().millis().count()).isEqualTo(1);
    assertThat(hops.whole().millis().max()).isCloseTo(15, within(0.02));
    assertThat(hops.parts().values().stream().map(t -> Math.rint(t.millis().max())))
        .containsExactly(2.0, 3.0, 1.0, 9.0);
    assertThat(hops.slowest(5))
        .containsExactly(new Hops.SamplePath(15, 10, List.of(2L, 3L, 1L, 9L)));
    assertThat(hops.answerAge().millis().max()).isCloseTo(95, within(0.2));
  }

  @Test
  void countsEverySampleThatADecisionCovers() {
    Percentiles millis =
        Hops.of(
                new Slice(
                    List.of(
                        new Sample(900, 901),
                        new Sample(1_000, 1_001),
                        new Sample(1_100, 1_101),
                        new Sample(1_200, 1_201)),
                    List.of(decision(900, 903, 904), decision(1_200, 2_000, 2_001)),
                    List.of(ack(900, 50, 910), ack(1_200, 60, 2_010))))
            .whole()
            .millis();

    assertThat(millis.count()).isEqualTo(3);
    assertThat(millis.max()).isCloseTo(1_010, within(1.0));
    assertThat(millis.mean()).isCloseTo(910, within(1.0));
  }

  @Test
  void ignoresPushesThatAreRepeatedFailedOrWithoutAChange() {
    Hops hops =
        Hops.of(
            new Slice(
                List.of(
                    new Sample(1_000, 1_001),
                    new Sample(1_100, 1_101),
                    new Sample(1_200, 1_201),
                    new Sample(1_300, 1_301)),
                List.of(
                    decision(1_000, 1_003, 1_004),
                    decision(1_100, 1_103, 1_104),
                    decision(1_200, 1_203, 1_204)),
                List.of(
                    ack(1_000, 50, 1_010),
                    ack(1_000, 50, 1_500),
                    ack(1_100, 50, 1_110),
                    new Ack("n", "t", 40, 50, 0, AckStatus.Partial, "", 1_200, 1_210))));

    assertThat(hops.whole().millis()).isEqualTo(Percentiles.NONE);
  }

  private static Decision decision(long sampledMillis, long decidedMillis, long brokerMillis) {
    Target target =
        new Target(
            "n",
            "t",
            1,
            1,
            null,
            null,
            null,
            1,
            1,
            1,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            Action.Hold,
            "",
            Limit.None,
            null,
            sampledMillis,
            sampledMillis - 90,
            decidedMillis);
    return new Decision(target, brokerMillis);
  }

  private static Ack ack(long sampledMillis, long capacityBytes, long appliedMillis) {
    return new Ack(
        "n",
        "t",
        capacityBytes,
        capacityBytes,
        0,
        AckStatus.Applied,
        "",
        sampledMillis,
        appliedMillis);
  }
}
