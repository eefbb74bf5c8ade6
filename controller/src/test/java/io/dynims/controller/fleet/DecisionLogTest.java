package io.dynims.controller.fleet;

import static io.dynims.controller.fleet.Decisions.decision;
import static io.dynims.controller.fleet.Decisions.real;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final int KEEP = 100;

  private final DecisionLog log = new DecisionLog();
  private long nowMillis = START_MILLIS;

  @Test
  void hasTheNewestInFullAndTheOlderThinnedToAnHour() {
    decide(START_MILLIS, 100 * 60 * 10);

    List<Target> all = log.newest(Integer.MAX_VALUE, nowMillis);
    assertThat(all).isSortedAccordingTo(NEWER_FIRST).doesNotHaveDuplicates();
    assertThat(all.get(KEEP - 1).decidedMillis()).isEqualTo(nowMillis - (KEEP - 1) * 100);
    assertThat(all.size() - KEEP).isBetween(119, 2 * 121);
    assertThat(all.get(all.size() - 1).decidedMillis())
        .isBetween(nowMillis - 3_600_000, nowMillis - 3_540_000);
    assertThat(log.newest(3, nowMillis)).isEqualTo(all.subList(0, 3));
    assertThat(log.since(nowMillis - 200, nowMillis)).isEqualTo(all.subList(0, 3));
    assertThat(log.since(nowMillis - 60_000, nowMillis))
        .isEqualTo(all.stream().filter(t -> t.decidedMillis() >= nowMillis - 60_000).toList())
        .hasSizeGreaterThan(KEEP);
  }

  @Test
  void aBurstOfASecondStaysVisibleForAnHour() {
    decide(START_MILLIS, 100);
    Target burst = decision(nowMillis + 100, 0.99, 1);
    log.record(burst, KEEP);
    decide(nowMillis + 200, 3_500 * 10);

    assertThat(log.newest(Integer.MAX_VALUE, nowMillis)).contains(burst);
  }

  @Test
  void aRestartChangesNothingThatIsKept() {
    decide(START_MILLIS, 20 * 60 * 10);
    List<Target> before = log.drain(nowMillis);
    long newestMillis = before.get(before.size() - 1).decidedMillis();

    // The new one gets what was kept, what the topic of targets still has, and what comes.
    DecisionLog next = new DecisionLog();
    List<Target> targets = log.newest(KEEP, nowMillis);
    before.forEach(next::restore);
    long untilMillis = targets.get(KEEP / 2).decidedMillis();
    List<Target> older = new ArrayList<>(targets.subList(KEEP / 2, KEEP));
    targets.subList(0, KEEP / 2).stream().sorted(OLDER_FIRST).forEach(t -> next.record(t, KEEP));
    older.sort(OLDER_FIRST);
    older.forEach(target -> next.recordEarlier(target, KEEP));
    older.forEach(target -> next.recordEarlier(target, KEEP));

    assertThat(untilMillis).isGreaterThan(newestMillis - 30_000);
    assertThat(next.newest(Integer.MAX_VALUE, nowMillis))
        .isEqualTo(log.newest(Integer.MAX_VALUE, nowMillis));
    assertThat(next.drain(nowMillis)).isEmpty();
    assertThat(next.drain(nowMillis + 30_000))
        .isNotEmpty()
        .allMatch(target -> target.decidedMillis() > newestMillis);
  }

  @Test
  void eachHalfMinuteIsClosedOnce() {
    assertThat(log.drain(nowMillis)).isEmpty();
    decide(START_MILLIS, 300);
    assertThat(log.drain(START_MILLIS + 29_999)).isEmpty();
    assertThat(log.drain(START_MILLIS + 30_000)).hasSizeBetween(1, 2);
    assertThat(log.drain(START_MILLIS + 30_000)).isEmpty();
    assertThat(log.drain(START_MILLIS + 300_000)).isEmpty();
  }

  @Test
  void anHourOfAThousandTiersTakesFewMegabytes() throws Exception {
    int tiers = 1_000;
    List<DecisionLog> logs = new ArrayList<>();
    Random random = new Random(1);
    long before = usedHeapBytes();
    for (int i = 0; i < tiers; i++) {
      DecisionLog each = new DecisionLog();
      TierKey key = new TierKey("node-" + i, "memory");
      for (int j = 0; j < 240; j++) {
        // Two that differ in every half minute; from JSON, as they come.
        boolean burst = j % 2 == 0;
        double utilization = (burst ? 0.97 : 0.96) + random.nextDouble() / 100;
        long previousBytes = ((burst ? 50L : 20L) << 30) - random.nextInt(1 << 30);
        Target made = real(key, START_MILLIS + j * 15_000L, utilization, previousBytes);
        each.restore(WireCodec.TARGET.decode(WireCodec.TARGET.encode(made)));
      }
      logs.add(each);
    }
    long bytes = usedHeapBytes() - before;
    long kept =
        logs.stream().mapToLong(each -> each.newest(999, START_MILLIS + 3_600_000).size()).sum();

    System.out.printf(
        "%,d decisions kept of an hour of %,d tiers: %.1f MB, %d bytes each%n",
        kept, tiers, bytes / 1e6, bytes / kept);
    assertThat(bytes).isLessThan(80_000_000);
  }

  private static long usedHeapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static final Comparator<Target> OLDER_FIRST =
      Comparator.comparingLong(Target::decidedMillis);
  private static final Comparator<Target> NEWER_FIRST = OLDER_FIRST.reversed();

  /** Decisions ten times a second. */
  private void decide(long fromMillis, int count) {
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      nowMillis = fromMillis + i * 100L;
      log.record(
          decision(nowMillis, 0.8 + random.nextDouble() / 10, 500 + random.nextInt(9)), KEEP);
    }
  }
}
