package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReactionMillisTest {

  @Test
  void measuresFromTheSampleToTheCapacityInForce() {
    List<Ack> acks = new ArrayList<>();
    acks.add(ack(AckStatus.Applied, 1_000, 1_000, 1_001));
    for (int i = 1; i <= 100; i++) {
      acks.add(ack(AckStatus.Applied, 1_000 + i, 1_000 + 100 * i, 1_000 + 100 * i + i));
    }

    assertThat(ReactionMillis.of(acks)).isEqualTo(new ReactionMillis(50, 99, 100, 100));
  }

  @Test
  void ignoresAcksThatChangeNothing() {
    List<Ack> acks =
        List.of(
            ack(AckStatus.Applied, 10, 1_000, 1_005),
            ack(AckStatus.Applied, 10, 1_100, 1_990),
            ack(AckStatus.Partial, 15, 1_300, 1_900),
            ack(AckStatus.Applied, 20, 1_300, 1_950),
            ack(AckStatus.Applied, 30, 1_400, 1_407));

    assertThat(ReactionMillis.of(acks)).isEqualTo(new ReactionMillis(7, 7, 7, 1));
  }

  @Test
  void isZeroIfNothingWasMeasured() {
    assertThat(ReactionMillis.of(List.of())).isEqualTo(new ReactionMillis(0, 0, 0, 0));
  }

  @Test
  void isNotNegativeIfAClockStepsBack() {
    List<Ack> acks =
        List.of(ack(AckStatus.Applied, 10, 1_000, 1_005), ack(AckStatus.Applied, 20, 1_100, 1_050));

    assertThat(ReactionMillis.of(acks)).isEqualTo(new ReactionMillis(0, 0, 0, 1));
  }

  private static Ack ack(AckStatus status, long capacity, long sampledMillis, long appliedMillis) {
    return new Ack("n", "t", capacity, capacity, 0, status, "", sampledMillis, appliedMillis);
  }
}
