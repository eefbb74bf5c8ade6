package io.dynims.controller.fleet;

import static io.dynims.controller.fleet.Decisions.decision;
import static io.dynims.controller.fleet.Decisions.real;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final int KEEP = 100;
  private static final TierKey KEY = new TierKey("n1", "memory");

  private final DecisionLog log = new DecisionLog();
  private long nowMillis = START_MILLIS;

  @Test
  void keepsTheNewestInFullAndAnHourDownsampled() {
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
  void aBurstStaysVisibleForAnHour() {
    decide(START_MILLIS, 100);
    Target burst = decision(nowMillis + 100, 0.99, 1);
    log.record(burst, KEEP);
    decide(nowMillis + 200, 3_500 * 10);

    assertThat(log.newest(Integer.MAX_VALUE, nowMillis)).contains(burst);
  }

  @Test
  void whatTheGuardDecidedMeanwhileIsPutWhereItBelongs() {
    decide(START_MILLIS, 10);
    Target guard = decision(START_MILLIS + 450, 0.97, 300).byGuard("for a test");
    Target newest = decision(nowMillis + 50, 0.97, 200).byGuard("for a test");

    assertThat(log.recordLate(guard, KEEP)).isTrue();
    assertThat(log.recordLate(newest, KEEP)).isTrue();
    assertThat(log.recordLate(guard, KEEP)).as("known").isFalse();

    List<Target> all = log.newest(KEEP, nowMillis + 50);
    assertThat(all).hasSize(12).isSortedAccordingTo(NEWER_FIRST).contains(guard);
    assertThat(log.newest()).isEqualTo(newest);
  }

  @Test
  void aDecisionThatComesLateIsDrainedNevertheless() {
    decide(START_MILLIS, 20 * 60 * 10);
    log.drain(nowMillis);
    Target late = decision(START_MILLIS + 60_000, 0.999, 1).byGuard("for a test");

    assertThat(log.recordLate(late, KEEP)).isTrue();

    assertThat(log.drain(nowMillis)).contains(late).hasSizeLessThan(3);
    assertThat(log.drain(nowMillis)).isEmpty();
    assertThat(log.newest(Integer.MAX_VALUE, nowMillis)).contains(late);
    DecisionLog next = new DecisionLog();
    next.restore(late);
    assertThat(next.newest(1, nowMillis)).containsExactly(late);
  }

  @Test
  void aRestartedControllerHasTheSameHistory() {
    decide(START_MILLIS, 20 * 60 * 10);
    List<Target> before = log.drain(nowMillis);
    long newestMillis = before.get(before.size() - 1).decidedMillis();

    // After the restart come the drained decisions, those of the target topic, and new ones.
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
  void eachHalfMinuteIsDrainedOnce() {
    assertThat(log.drain(nowMillis)).isEmpty();
    decide(START_MILLIS, 300);
    assertThat(log.drain(START_MILLIS + 29_999)).isEmpty();
    assertThat(log.drain(START_MILLIS + 30_000)).hasSizeBetween(1, 2);
    assertThat(log.drain(START_MILLIS + 30_000)).isEmpty();
    assertThat(log.drain(START_MILLIS + 300_000)).isEmpty();
  }

  @Test
  void decisionsOfATierShareTheirEqualParts() throws Exception {
    for (int i = 0; i < 100; i++) {
      // From JSON, as decisions arrive: each has its own objects.
      Target made = real(KEY, START_MILLIS + i * 30_000L, 0.9, 50L << 30);
      log.restore(WireCodec.TARGET.decode(WireCodec.TARGET.encode(made)));
    }

    List<Target> all = log.newest(Integer.MAX_VALUE, START_MILLIS + 100 * 30_000L);
    Target first = all.get(0);
    assertThat(all)
        .hasSize(100)
        .allSatisfy(
            each -> {
              assertThat(each.node()).isSameAs(first.node());
              assertThat(each.tier()).isSameAs(first.tier());
              assertThat(each.tierUsedBytes()).isSameAs(first.tierUsedBytes());
              assertThat(each.threshold()).isSameAs(first.threshold());
              assertThat(each.gain()).isSameAs(first.gain());
            });
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
