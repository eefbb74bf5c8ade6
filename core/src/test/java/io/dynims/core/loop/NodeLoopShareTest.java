package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.Action;
import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.law.Share;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.SharePolicy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Several tiers of one node; each is full and gives what it is asked for within an interval. */
class NodeLoopShareTest {

  private static final String NODE = "n1";
  private static final long START = 1_700_000_000_000L;
  private static final long GIB = 1L << 30;
  private static final long TOTAL = 100 * GIB;

  private final NodeLoop loop = new NodeLoop(new NodeLoopState(), START, LoopObserver.NONE);
  private final Map<String, Long> tiers = new LinkedHashMap<>();
  private final Map<String, Double> hits = new HashMap<>();
  private List<Hint> hints;
  private long now = START;

  @ParameterizedTest
  @EnumSource(LawType.class)
  void theStepsOfTwoTiersAddUpToThatOfOne(LawType law) {
    NodeLoopShareTest one = new NodeLoopShareTest();
    one.add(policy("only", law, Mode.Enforce, 1, 4 * GIB, 120 * GIB), 40 * GIB);
    add(policy("a", law, Mode.Enforce, 1, 3 * GIB, 60 * GIB), 24 * GIB);
    add(policy("b", law, Mode.Enforce, 3, GIB, 60 * GIB), 16 * GIB);
    IntToDoubleFunction jobsGib = tick -> tick < 20 ? 30 : tick < 100 ? 30 + (tick - 20) / 2.0 : 40;

    for (int tick = 0; tick < 200; tick++) {
      long jobs = (long) (jobsGib.applyAsDouble(tick) * GIB);
      one.tick(jobs);
      tick(jobs);

      assertThat(sum()).as("tick " + tick).isCloseTo(one.sum(), within(one.sum() / 100));
      assertThat(jobs + sum()).isLessThanOrEqualTo(TOTAL);
    }
  }

  @Test
  void aBurstShrinksBothByTheirWeights() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 3, 0, 60 * GIB), 30 * GIB);
    tick(30 * GIB);

    Map<String, Target> decided = tick(46 * GIB);

    long gaveA = 30 * GIB - decided.get("a").desiredBytes();
    long gaveB = 30 * GIB - decided.get("b").desiredBytes();
    assertThat(gaveA).isPositive();
    assertThat((double) gaveB / gaveA).isCloseTo(3, within(0.001));
    assertThat(decided.get("a").share().ratio()).isEqualTo(0.25);
    assertThat(decided.get("a").share().tiers()).isEqualTo(2);
    assertThat(decided.get("a").share().capacityBytes()).isEqualTo(60 * GIB);
    assertThat(decided.get("a").share().stepBytes()).isCloseTo(gaveA + gaveB, within(2L));
    assertThat(decided.get("a").reason())
        .contains("shrinking by " + gaveA + " bytes; the node's tiers give ")
        .endsWith(" bytes together, of which its weight is 25.0%");
    assertThat(decided.get("a").action()).isEqualTo(Action.Shrink);
  }

  @Test
  void whatHoldsNoDataIsGivenFirst() {
    add(policy("full", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);
    add(policy("filling", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);
    Map<String, Long> used = Map.of("filling", 26 * GIB);
    tick(34 * GIB, used);

    Map<String, Target> little = tick(37 * GIB, used);
    Map<String, Target> much = tick(49 * GIB, used);

    assertThat(little.get("full").desiredBytes()).isEqualTo(30 * GIB);
    assertThat(little.get("filling").desiredBytes()).isBetween(26 * GIB, 29 * GIB);
    long full = much.get("full").desiredBytes();
    assertThat(30 * GIB - full)
        .isCloseTo(26 * GIB - much.get("filling").desiredBytes(), within(2L));
    assertThat(full).isLessThan(28 * GIB);
  }

  /**
   * One holds no data and gave nothing; the other frees slowly, or not, what a hint asked of it.
   */
  @ParameterizedTest
  @CsvSource({"0, 45", "20, 62"})
  void whatATierStillFreesIsGivenBackToItAndTheOtherFillsOnlyWhatIsFree(
      long freedMibPerTick, long leastGib) {
    add(policy("slow", LawType.Forecast, Mode.Enforce, 1, 0, 64 * GIB), 64 * GIB);
    add(policy("filling", LawType.Forecast, Mode.Enforce, 9, 0, 60 * GIB), 0);
    tick(30 * GIB);
    hints = List.of(new Hint("job", 20 * GIB, now, now + 500));
    acknowledge(Map.of());
    for (int tick = 0; tick < 35; tick++) {
      boolean isHinted = tick < 5;
      hints = isHinted ? hints : List.of();
      long heldBytes = 64 * GIB - tick * (freedMibPerTick << 20);
      advance(
          30 * GIB,
          () -> Map.of("slow", heldBytes, "filling", isHinted ? 0 : tiers.get("filling")));

      assertThat(30 * GIB + heldBytes + tiers.get("filling")).isLessThanOrEqualTo(95 * GIB);
      assertThat(!isHinted || tiers.get("slow") < 50 * GIB).as("tick %s", tick).isTrue();
    }
    assertThat(tiers.get("slow")).isGreaterThanOrEqualTo(leastGib * GIB);
  }

  /** A store that is fragmented does not free what it holds above its capacity. */
  @Test
  void whatATierHoldsAboveItsCapacityForGoodTakesNoGrowthFromTheOther() {
    add(policy("fragmented", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 20 * GIB);
    add(policy("full", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 20 * GIB);

    for (int tick = 0; tick < 60; tick++) {
      advance(
          tick < 10 ? 48 * GIB : 30 * GIB,
          () -> Map.of("fragmented", tiers.get("fragmented") * 6 / 5));
    }

    assertThat(tiers.get("full")).isGreaterThan(24 * GIB);
    assertThat(tiers.get("full")).isCloseTo(tiers.get("fragmented"), within(GIB));
  }

  @Test
  void whatOneMayNotGiveTheOtherDoes() {
    add(policy("a", LawType.Feedback, Mode.Enforce, 1, 29 * GIB, 60 * GIB), 30 * GIB);
    add(policy("b", LawType.Feedback, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);

    Map<String, Target> decided = tick(45 * GIB);

    assertThat(decided.get("a").desiredBytes()).isEqualTo(29 * GIB);
    assertThat(decided.get("a").limitedBy()).isEqualTo(Limit.Min);
    assertThat(decided.get("b").limitedBy()).isEqualTo(Limit.None);
    assertThat(60 * GIB - sum(decided)).isCloseTo(decided.get("b").share().stepBytes(), within(2L));
  }

  @Test
  void memoryThatServesMoreReadsIsGivenLastAndGrowsFirst() {
    add(byHits("hot"), 30 * GIB);
    add(byHits("cold"), 30 * GIB);
    hits.put("hot", 0.9);
    tick(30 * GIB);
    assertThat(tick(36 * GIB).get("hot").share().ratio()).as("unknown for one").isEqualTo(0.5);

    hits.put("cold", 0.3);
    Share shrinking = tick(46 * GIB).get("hot").share();
    Map<String, Target> decided = Map.of();
    for (int tick = 0; tick < 5; tick++) {
      decided = tick(20 * GIB);
    }
    Share growing = decided.get("hot").share();

    assertThat(shrinking.stepBytes()).isPositive();
    assertThat(shrinking.ratio()).isLessThan(0.3);
    assertThat(growing.stepBytes()).isNegative();
    assertThat(growing.ratio()).isGreaterThan(0.6);
  }

  @Test
  void aTierThatIsFarFromFullLeavesItsRoomToTheOther() {
    add(policy("idle", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);
    add(policy("full", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 30 * GIB);
    for (int tick = 0; tick < 60; tick++) {
      Map<String, Target> decided = tick(20 * GIB, Map.of("idle", 1 * GIB));

      assertThat(decided.get("idle").desiredBytes()).isEqualTo(6 * GIB);
      assertThat(decided.get("full").desiredBytes()).isGreaterThanOrEqualTo(30 * GIB);
    }
    assertThat(tiers.get("full")).isEqualTo(60 * GIB);
    assertThat(tick(20 * GIB, Map.of("idle", 2 * GIB)).get("idle").limitedBy())
        .isEqualTo(Limit.HeadStart);
  }

  @Test
  void aTierThatTellsNothingTakesNoShare() {
    NodeLoopShareTest one = new NodeLoopShareTest();
    one.add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 60 * GIB);
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 60 * GIB);
    loop.onPolicy(policy("unreachable", LawType.Forecast, Mode.Enforce, 9, 0, 80 * GIB), now);

    assertThat(tick(45 * GIB).get("a").desiredBytes())
        .isEqualTo(one.tick(45 * GIB).get("a").desiredBytes());
  }

  @ParameterizedTest
  @EnumSource(LawType.class)
  void theHarmOfAnAdapterThatLiesIsBoundedByItsPolicysMaximum(LawType law) {
    NodeLoopShareTest one = new NodeLoopShareTest();
    one.add(policy("a", law, Mode.Enforce, 1, 0, 80 * GIB), 60 * GIB);
    add(policy("a", law, Mode.Enforce, 1, 0, 80 * GIB), 60 * GIB);
    loop.onPolicy(policy("liar", law, Mode.Enforce, 1, 0, 10 * GIB), now);
    for (long lie : List.of(0L, 10 * GIB, TOTAL, 1L << 53)) {
      loop.onAck(
          new Ack(
              NODE,
              "liar",
              lie,
              lie,
              lie,
              lie,
              lie,
              1.0,
              AckStatus.Applied,
              "",
              now,
              now,
              null,
              null,
              null),
          now);
      acknowledge(Map.of());
      one.acknowledge(Map.of());
      long a = decide(45 * GIB).get("a").desiredBytes();
      long alone = one.decide(45 * GIB).get("a").desiredBytes();

      assertThat(a).as("lie of " + lie).isBetween(alone - 20 * GIB, alone + 10 * GIB);
    }
  }

  @Test
  void anAdapterThatLiesAndFallsSilentHidesNoMoreThanItsPolicysMaximum() {
    long lie = 1L << 53;
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 60 * GIB);
    loop.onPolicy(policy("liar", LawType.Forecast, Mode.Enforce, 1, 0, 10 * GIB), now);
    loop.onAck(new Ack(NODE, "liar", lie, lie, 0, AckStatus.Applied, "", now, now), now);
    for (int tick = 0; tick < 5; tick++) {
      acknowledge(Map.of());
      decide(10 * GIB);
    }
    acknowledge(Map.of());

    Target decided = decide(40 * GIB).get("a");

    assertThat(decided.forecast().jobBytes()).isEqualTo(30 * GIB);
  }

  /** Both acks are older than v, and one tier has freed memory since. */
  @Test
  void tiersWhoseDataSeemToExceedWhatIsInUseTakeOneStep() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 90 * GIB), 40 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 90 * GIB), 40 * GIB);
    for (int tick = 0; tick < 5; tick++) {
      decide(0);
    }

    Map<String, Target> decided = Map.of();
    for (int tick = 0; tick < 5; tick++) {
      decided = decide(-5 * GIB);
    }

    assertThat(sum(decided)).isBetween(80 * GIB, 95 * GIB);
    assertThat(decided.get("a").share()).isEqualTo(decided.get("b").share());
  }

  @Test
  void aTierThatDoesNotAnswerGivesNoMoreThanItIsAskedAndTheOtherTakesAll() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 30 * GIB);
    add(policy("dead", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 30 * GIB);
    tick(30 * GIB);
    loop.onAck(Ack.failed(key("dead"), 0, "refused", now, now), now);

    Target decided = decide(40 * GIB).get("a");

    assertThat(decided.share()).isNull();
    assertThat(decided.desiredBytes()).isCloseTo(25 * GIB, within(GIB));
  }

  @Test
  void aNeighbourThatFailsIsNoRiseOfTheJobs() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 30 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 30 * GIB), 30 * GIB);
    for (int tick = 0; tick < 5; tick++) {
      tick(30 * GIB);
    }

    loop.onAck(Ack.failed(key("b"), 0, "refused", now, now), now);
    Target failed = decide(30 * GIB).get("a");
    acknowledge(Map.of());
    Target back = decide(30 * GIB).get("a");

    assertThat(List.of(failed, back))
        .allSatisfy(
            target -> {
              assertThat(target.desiredBytes()).isEqualTo(30 * GIB);
              assertThat(target.forecast().jobBytes()).isEqualTo(30 * GIB);
              assertThat(target.forecast().jobAheadBytes()).isEqualTo(30 * GIB);
            });
  }

  /** Its push may be applied after all, beside what the other one gives. */
  @ParameterizedTest
  @CsvSource({"0, 25, 30", "28, 28, 27"})
  void aTierThatDoesNotAnswerIsAskedOnlyForWhatTheOthersCannotGive(
      long minGib, long desiredGib, long failedGib) {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, minGib * GIB, 30 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 30 * GIB), 30 * GIB);
    for (int tick = 0; tick < 5; tick++) {
      tick(30 * GIB);
    }

    loop.onAck(Ack.failed(key("b"), 0, "refused", now, now), now);
    Map<String, Target> decided = decide(40 * GIB);

    long within = GIB + GIB / 10;
    assertThat(decided.get("a").desiredBytes()).isCloseTo(desiredGib * GIB, within(within));
    assertThat(decided.get("b").desiredBytes()).isCloseTo(failedGib * GIB, within(within));
  }

  /** The node is full; the pushes of one tier fail, and it goes on filling its capacity. */
  @Test
  void whatATierFillsWhosePushesFailIsTakenFromNobodyWhileOthersAnswer() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 30 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 60 * GIB), 25 * GIB);
    for (int tick = 0; tick < 5; tick++) {
      tick(40 * GIB, Map.of("b", 20 * GIB));
    }

    for (int tick = 0; tick < 12; tick++) {
      long bytes = tiers.get("a");
      loop.onAck(new Ack(NODE, "a", bytes, bytes, bytes, AckStatus.Applied, "", now, now), now);
      loop.onAck(Ack.failed(key("b"), 0, "refused", now, now), now);
      long emptyBytes = (tick < 3 ? 5 : Math.max(0, 8 - tick)) * GIB;
      assertUntouched(decide(40 * GIB - emptyBytes));
    }
    acknowledge(Map.of("b", 25 * GIB));
    assertUntouched(decide(40 * GIB));
  }

  private static void assertUntouched(Map<String, Target> decided) {
    assertThat(decided.values()).extracting(t -> t.forecast().jobBytes()).containsOnly(40 * GIB);
    assertThat(decided.get("a").desiredBytes()).isEqualTo(30 * GIB);
    assertThat(decided.get("b").desiredBytes()).isEqualTo(25 * GIB);
  }

  @Test
  void whatATierHoldsThatLeavesOrJoinsIsNoRiseOfTheJobs() {
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 30 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 5 * GIB), 5 * GIB);
    for (int tick = 0; tick < 5; tick++) {
      tick(60 * GIB);
    }

    loop.onWithdrawal("b");
    assertUnmoved(decide(60 * GIB), 65 * GIB);
    assertUnmoved(decide(60 * GIB), 65 * GIB);

    loop.onPolicy(policy("b", LawType.Forecast, Mode.Enforce, 1, 0, 5 * GIB), now);
    acknowledge(Map.of());
    assertUnmoved(decide(60 * GIB), 60 * GIB);

    loop.onWithdrawal("b");
    assertUnmoved(decide(60 * GIB), 65 * GIB);
  }

  private static void assertUnmoved(Map<String, Target> decided, long jobBytes) {
    assertThat(decided.get("a").forecast().jobBytes()).isEqualTo(jobBytes);
    assertThat(decided.get("a").forecast().jobAheadBytes()).isEqualTo(jobBytes);
    assertThat(decided.get("a").desiredBytes()).isEqualTo(30 * GIB);
  }

  @Test
  void aTierThatIsNotResizedSeesWhatItWouldBeBesideTheOthers() {
    add(policy("enforced", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 30 * GIB);
    add(policy("shown", LawType.Forecast, Mode.Recommend, 1, 0, 80 * GIB), 30 * GIB);
    tick(30 * GIB);

    Map<String, Target> decided = tick(46 * GIB);

    assertThat(decided.get("enforced").share()).isNull();
    assertThat(decided.get("shown").share().ratio()).isEqualTo(0.5);
  }

  @Test
  void tiersThatAreOnlyShownAreShownWhatTheyWouldShare() {
    add(policy("a", LawType.Forecast, Mode.Recommend, 1, 0, 80 * GIB), 30 * GIB);
    add(policy("b", LawType.Forecast, Mode.Recommend, 1, 0, 80 * GIB), 30 * GIB);
    decide(30 * GIB);

    Map<String, Target> decided = decide(46 * GIB);

    assertThat(60 * GIB - sum(decided)).isCloseTo(decided.get("a").share().stepBytes(), within(2L));
    assertThat(decided.get("a").share()).isEqualTo(decided.get("b").share());
  }

  /** One law and one turn a node: no tier sees a sample that the other one does not. */
  @Test
  void theTiersOfANodeAreDecidedTogetherAndByTheSameStep() {
    Map<String, Target> decided = Map.of();
    add(policy("a", LawType.Forecast, Mode.Enforce, 1, 0, 80 * GIB), 30 * GIB);
    for (int tick = 0; tick < 30; tick++) {
      if (tick == 7) {
        now += 40;
        add(policy("b", LawType.Forecast, Mode.Enforce, 3, 0, 80 * GIB), 10 * GIB);
      }
      decided = tick((30 + tick % 5) * GIB);
      assertThat(decided).hasSize(tick < 7 ? 1 : 2);
    }
    assertThat(decided.get("a").share().stepBytes())
        .isEqualTo(decided.get("b").share().stepBytes());
    assertThat(decided.get("a").forecast()).isEqualTo(decided.get("b").forecast());
  }

  private void add(Policy policy, long capacityBytes) {
    loop.onPolicy(policy, now);
    tiers.put(policy.tier(), capacityBytes);
    acknowledge(Map.of());
  }

  private Map<String, Target> tick(long jobBytes) {
    return tick(jobBytes, Map.of());
  }

  /** One interval: a sample, the decisions, and the tiers' answers. */
  private Map<String, Target> tick(long jobBytes, Map<String, Long> usedBytes) {
    acknowledge(usedBytes);
    Map<String, Target> decided = decide(jobBytes + hidden(usedBytes));
    decided.forEach((tier, target) -> tiers.put(tier, target.desiredBytes()));
    acknowledge(usedBytes);
    return decided;
  }

  /** One interval; the tiers tell afterwards what they hold by then. */
  private void advance(long jobBytes, Supplier<Map<String, Long>> usedBytes) {
    decide(jobBytes + hidden(usedBytes.get()))
        .forEach((tier, target) -> tiers.put(tier, target.desiredBytes()));
    acknowledge(usedBytes.get());
  }

  private long hidden(Map<String, Long> usedBytes) {
    return usedBytes.entrySet().stream().mapToLong(e -> e.getValue() - tiers.get(e.getKey())).sum();
  }

  private Map<String, Target> decide(long jobBytes) {
    now += 100;
    long availableBytes = TOTAL - jobBytes - sum();
    var reading = new MemoryReading(NODE, now, MemoryReading.WHOLE, TOTAL, availableBytes);
    return loop.onSample(reading, now).stream().collect(Collectors.toMap(Target::tier, t -> t));
  }

  private void acknowledge(Map<String, Long> usedBytes) {
    Map<String, Long> used = new HashMap<>(tiers);
    used.putAll(usedBytes);
    tiers.forEach(
        (tier, bytes) ->
            loop.onAck(
                new Ack(
                    NODE,
                    tier,
                    bytes,
                    bytes,
                    used.get(tier),
                    null,
                    null,
                    hits.get(tier),
                    AckStatus.Applied,
                    "",
                    now,
                    now,
                    hints,
                    null,
                    null),
                now));
  }

  private long sum() {
    return tiers.values().stream().mapToLong(Long::longValue).sum();
  }

  private static long sum(Map<String, Target> decided) {
    return decided.values().stream().mapToLong(Target::desiredBytes).sum();
  }

  private static TierKey key(String tier) {
    return new TierKey(NODE, tier);
  }

  private static Policy byHits(String tier) {
    return policy(tier, LawType.Forecast, Mode.Enforce, 0, 90 * GIB, new SharePolicy(1, 1, true));
  }

  private static Policy policy(
      String tier, LawType law, Mode mode, double weight, long minBytes, long maxBytes) {
    return policy(tier, law, mode, minBytes, maxBytes, new SharePolicy(weight, weight, false));
  }

  private static Policy policy(
      String tier, LawType law, Mode mode, long minBytes, long maxBytes, SharePolicy share) {
    return new Policy(
        NODE,
        tier,
        mode,
        law,
        0.95,
        law.defaultGain(),
        law.defaults(100),
        minBytes,
        null,
        maxBytes,
        null,
        null,
        100,
        2_000,
        null,
        null,
        null,
        share);
  }
}
