package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleFilterTest {

  private static final long NOW = 1_000_000;

  private final NodeLoopState node = new NodeLoopState();
  private final SampleFilter filter = new SampleFilter(node);

  @BeforeEach
  void followAPolicy() {
    Policy policy = NodeLoopHarness.POLICY;
    assertThat(policy.staleAfterMillis()).isEqualTo(2_000);
    TierLoopState tier = new TierLoopState();
    tier.follow(policy);
    node.tiers.put(policy.tier(), tier);
  }

  @ParameterizedTest
  @CsvSource({
    "     0,    0, ",
    " -2000,    0, ",
    " -2001,    0, Stale",
    "  5000,    0, ",
    "  5001,    0, Future",
    "     0, 1999, ",
    "     0, 2000, SlowHeartbeat",
  })
  void theFirstReadingIsJudgedByItsAgeAndHeartbeat(
      long aheadMillis, long heartbeatMillis, Refusal refusal) {
    assertThat(filter.refusal(whole(NOW + aheadMillis, heartbeatMillis), NOW)).isEqualTo(refusal);
  }

  @ParameterizedTest
  @CsvSource({
    "  1,    0, ",
    "  0,    0, Repeated",
    "  0, 5000, Repeated",
    " -1,    0, OutOfOrder",
    " -1, 1999, OutOfOrder",
    " -1, 2000, ",
  })
  void aReadingIsNewerThanTheLastUnlessThatIsLongAgo(
      long newerMillis, long sinceMillis, Refusal refusal) {
    long nowMillis = NOW + sinceMillis;
    node.accept(whole(nowMillis, 0), NOW);
    assertThat(filter.refusal(whole(nowMillis + newerMillis, 0), nowMillis)).isEqualTo(refusal);
  }

  @Test
  void theStockPluginIsNotHeardWhileTheShippedReaderIs() {
    assertThat(filter.refusal(stock(NOW), NOW)).isNull();
    assertThat(filter.refusal(whole(NOW - 9_000, 0), NOW)).isEqualTo(Refusal.Stale);
    assertThat(filter.refusal(stock(NOW + 1_999), NOW + 1_999)).isEqualTo(Refusal.Superseded);
    assertThat(filter.refusal(stock(NOW + 2_000), NOW + 2_000)).isNull();
  }

  @Test
  void aClockThatIsSetBackDoesNotSilenceTheStockPlugin() {
    assertThat(filter.refusal(whole(NOW, 0), NOW)).isNull();
    long backMillis = NOW - 1_000;
    assertThat(filter.refusal(stock(backMillis), backMillis)).isEqualTo(Refusal.Superseded);
    assertThat(filter.refusal(stock(backMillis + 1), backMillis + 1)).isNull();
  }

  private static MemoryReading whole(long sampledMillis, long heartbeatMillis) {
    return new MemoryReading(
        "n", sampledMillis, MemoryReading.WHOLE, 1_000, 300, null, null, heartbeatMillis, 1);
  }

  private static MemoryReading stock(long sampledMillis) {
    return new MemoryReading("n", sampledMillis, 1, 100, 0);
  }
}
