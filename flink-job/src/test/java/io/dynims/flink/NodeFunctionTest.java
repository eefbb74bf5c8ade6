package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Action;
import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Flink's harness: real keyed state and timers, and a clock in our hands. */
class NodeFunctionTest {

  private static final long START = 1_000_000;
  private static final String NODE = "node-1";
  private static final Policy POLICY = Samples.policy(NODE, "a", Mode.Enforce);

  private KeyedTwoInputStreamOperatorTestHarness<String, MemoryReading, TierUpdate, Target> job;
  private RecordedMetrics recorded;
  private long now;
  private int seen;

  @BeforeEach
  void start() throws Exception {
    job = harness();
    job.open();
    at(START);
  }

  @AfterEach
  void end() throws Exception {
    job.close();
  }

  @Test
  void decidesByTheLawFromTheAcknowledgedCapacity() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 980);
    var expected = new FeedbackLaw(POLICY.parameters()).decide(new LawInput(500, 980, 1_000));
    Target target = one();
    assertThat(target)
        .isEqualTo(
            Target.of(new TierKey(NODE, "a"), expected, 0L, expected.reason(), START, 0L, START));
    assertThat(target.action()).isEqualTo(Action.Shrink);

    at(START + 100);
    sample(START + 100, 980);
    assertThat(one().previousBytes()).as("no ack of the first target came").isEqualTo(500);

    update(TierUpdate.of(Samples.ack(NODE, "a", 470, 0)));
    at(START + 200);
    sample(START + 200, 980);
    assertThat(one().previousBytes()).isEqualTo(470);
  }

  @Test
  void tellsWhenTheTierToldItsCapacityWhichAFailedPushDoesNot() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(new Ack(NODE, "a", 600, 500, 0, AckStatus.Failed, "gone", 0, START - 30)));
    sample(START, 500);
    assertThat(one().acknowledgedMillis()).as("the tier told nothing to this job").isNull();

    update(TierUpdate.of(new Ack(NODE, "a", 600, 600, 0, AckStatus.Applied, "", 0, START + 10)));
    update(TierUpdate.of(new Ack(NODE, "a", 700, 600, 0, AckStatus.Failed, "gone", 0, START + 90)));
    at(START + 100);
    sample(START + 100, 500);
    assertThat(one().acknowledgedMillis()).isEqualTo(START + 10);
    at(START + 10_000);
    assertThat(one().acknowledgedMillis()).as("of the Hold").isEqualTo(START + 10);
  }

  @Test
  void takesThePolicysBudgetForTheNodesMemory() throws Exception {
    update(
        TierUpdate.of(
            new Policy(
                NODE,
                "a",
                Mode.Enforce,
                POLICY.law(),
                0.95,
                0.5,
                0,
                1_000,
                800L,
                100,
                2_000,
                null)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 840);
    Target target = one();
    assertThat(target.memoryTotalBytes()).isEqualTo(800);
    assertThat(target.utilization()).isEqualTo(1.05);
  }

  @Test
  void decidesNothingBeforeThePolicyAndAnAckAreKnown() throws Exception {
    sample(START, 500);
    update(TierUpdate.of(POLICY));
    at(START + 100);
    sample(START + 100, 500);
    assertThat(fresh()).isEmpty();
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    at(START + 200);
    sample(START + 200, 500);
    one();
  }

  @Test
  void decidesInModeRecommendAndNotInModeOff() throws Exception {
    update(TierUpdate.of(Samples.policy(NODE, "a", Mode.Recommend)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 500);
    one();
    update(TierUpdate.of(Samples.policy(NODE, "a", Mode.Off)));
    at(START + 100);
    sample(START + 100, 500);
    at(START + 10_000);
    assertThat(fresh()).as("neither a decision nor a Hold").isEmpty();
  }

  @Test
  void stopsWhenThePolicyIsWithdrawn() throws Exception {
    ready();
    update(TierUpdate.withdrawal(new TierKey(NODE, "a")));
    at(START + 100);
    sample(START + 100, 500);
    at(START + 10_000);
    assertThat(fresh()).isEmpty();
    assertThat(job.numKeyedStateEntries()).as("a node without policies is forgotten").isZero();
  }

  @Test
  void decidesForEachTierOfANodeByItsOwnPolicyAndAck() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.policy(NODE, "b", Mode.Recommend)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    update(TierUpdate.of(Samples.ack(NODE, "b", 300, 0)));
    sample(START, 500);
    assertThat(fresh())
        .extracting(Target::tier, Target::previousBytes)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("a", 500L),
            org.assertj.core.groups.Tuple.tuple("b", 300L));
    at(START + 10_000);
    assertThat(fresh()).extracting(Target::tier).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void dropsSamplesThatAreRepeatedOutOfOrderStaleOrInTheFuture() throws Exception {
    ready();
    sample(START, 600);
    sample(START - 100, 600);
    sample(START - 2_001, 600);
    sample(START + 5_001, 600);
    assertThat(fresh()).isEmpty();
    at(START + 100);
    sample(START + 100, 500);
    assertThat(one().memoryUsedBytes()).isEqualTo(500);
  }

  @Test
  void takesSamplesAtTheEdgeOfStaleAndFuture() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START - 2_000, 500);
    one();
    sample(START + 5_000, 500);
    one();
  }

  @Test
  void tellsASilenceOnceAndTheReturnOnce() throws Exception {
    ready();
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
    at(START + 2_000);
    Target hold = one();
    assertThat(hold.action()).isEqualTo(Action.Hold);
    assertThat(hold.limitedBy()).isEqualTo(Limit.Stale);
    assertThat(hold.desiredBytes()).isEqualTo(500);
    assertThat(hold.sampledMillis()).isEqualTo(START);
    assertThat(hold.decidedMillis()).isEqualTo(START + 2_000);
    assertThat(hold.reason()).isEqualTo("no metrics for 2.0 s: the capacity stays as it is");
    at(START + 60_000);
    assertThat(fresh()).isEmpty();

    sample(START + 60_000, 500);
    assertThat(one().reason()).startsWith("metrics are back after 60.0 s: utilization 0.5");
    at(START + 60_100);
    sample(START + 60_100, 500);
    assertThat(one().reason()).startsWith("utilization 0.5");
    at(START + 70_000);
    assertThat(one().limitedBy()).as("the next silence is told as well").isEqualTo(Limit.Stale);
  }

  @Test
  void keepsOneTimerANodeHoweverManySamplesCome() throws Exception {
    ready();
    for (long t = START + 100; t < START + 10_000; t += 100) {
      at(t);
      sample(t, 500);
      assertThat(job.numProcessingTimeTimers()).isEqualTo(1);
    }
    assertThat(fresh()).noneMatch(t -> t.limitedBy() == Limit.Stale);
  }

  @Test
  void noticesSilenceEarlierWhenAPolicySaysSo() throws Exception {
    ready();
    update(TierUpdate.of(Samples.policy(POLICY, 100, 500)));
    at(START + 500);
    assertThat(one().reason()).startsWith("no metrics for 0.5 s");
    at(START + 5_000);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void followsAClockThatWasSetBackOnceNothingWasAcceptedForLong() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START + 4_000, 500);
    one();
    for (long t = START + 100; t < START + 2_000; t += 100) {
      at(t);
      sample(t, 600);
    }
    assertThat(fresh()).as("out of order").isEmpty();
    at(START + 2_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
    sample(START + 2_000, 600);
    assertThat(one().reason()).startsWith("metrics are back after 2.0 s");
    at(START + 2_100);
    sample(START + 2_100, 600);
    assertThat(one().memoryUsedBytes()).isEqualTo(600);
  }

  @Test
  void decidesEverySampleInSpiteOfJitter() throws Exception {
    ready();
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 1; i <= 200; i++) {
      long t = START + 100L * i + random.nextInt(-10, 11);
      at(t);
      sample(t, 500);
      one();
    }
  }

  @Test
  void decidesOnceAnIntervalWhereSamplesComeMoreOften() throws Exception {
    update(TierUpdate.of(Samples.policy(POLICY, 1_000, 2_000)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
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
  void decidesTheSampleThatIsOnTimeAfterALateOne() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    long[] lates = {0, 50, 0, 45, 0, 30, 0, 0};
    for (int i = 0; i < lates.length; i++) {
      long t = START + 100L * i + lates[i];
      at(t);
      sample(t, 500);
      one();
    }
  }

  @Test
  void decidesOnlyOneOfTwoSamplesThatCameCloseTogether() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
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
  void takesUpAShorterIntervalAtOnce() throws Exception {
    update(TierUpdate.of(Samples.policy(POLICY, 600_000, 600_000)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 500);
    one();
    update(TierUpdate.of(POLICY));
    at(START + 100);
    sample(START + 100, 500);
    one();
  }

  @Test
  void joinsTheStockPluginsPartsWithWhatTheTierUses() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.policy(NODE, "b", Mode.Off)));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 150)));
    update(TierUpdate.of(Samples.ack(NODE, "b", 100, 50)));
    for (int part = 0; part < 5; part++) {
      part(START, part, 100);
    }
    assertThat(fresh()).isEmpty();
    part(START, 5, 500);
    Target target = one();
    assertThat(target.memoryTotalBytes()).isEqualTo(1_000);
    // In use: 100 used, 500 unreclaimable slab, 200 of the tiers' within the 100 of cache.
    assertThat(target.memoryUsedBytes()).isEqualTo(1_000 - (400 - 200));
    at(START + 100);
    part(START + 100, 0, 100);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void joinsPartsOfInstantsThatArriveMixedAndGivesUpIncompleteOnes() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    for (int part = 0; part < 6; part++) {
      part(START - 200 + 100L * (part % 2), part, 1);
    }
    for (int part = 0; part < 6; part++) {
      part(START, part, 1);
      part(START, part, 1);
    }
    assertThat(one().sampledMillis()).isEqualTo(START);
    part(START - 200, 1, 1);
    assertThat(fresh()).isEmpty();
  }

  @Test
  void prefersTheShippedReaderOverTheStockPlugin() throws Exception {
    ready();
    at(START + 100);
    sample(START + 100, 700);
    for (int part = 0; part < 6; part++) {
      part(START + 103, part, 100);
    }
    assertThat(one().memoryUsedBytes()).isEqualTo(700);
    at(START + 2_200);
    fresh();
    for (int part = 0; part < 6; part++) {
      part(START + 2_200, part, 100);
    }
    assertThat(one().memoryTotalBytes()).as("the reader is gone").isEqualTo(600);
  }

  @Test
  void keepsPoliciesAcksAndTimersOverARestart() throws Exception {
    ready();
    OperatorSubtaskState saved = job.snapshot(1, START);
    job.close();
    job = harness();
    job.initializeState(saved);
    job.open();
    seen = 0;
    at(START + 60_000);
    assertThat(fresh()).as("the job's own absence is not the node's silence").isEmpty();
    sample(START + 60_000, 500);
    assertThat(one().reason()).startsWith("utilization");
    at(START + 62_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  @Test
  void tellsASilenceThatBeganBeforeARestart() throws Exception {
    ready();
    OperatorSubtaskState saved = job.snapshot(1, START);
    job.close();
    job = harness();
    job.initializeState(saved);
    job.open();
    seen = 0;
    at(START + 60_000);
    at(START + 61_999);
    assertThat(fresh()).isEmpty();
    at(START + 62_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  @Test
  void countsDecisionsByWhatTheyDoAndWhatLimitedThem() throws Exception {
    ready(); // Half of the memory is in use: grows to the maximum.
    at(START + 130);
    sample(START + 100, 980);
    at(START + 2_130);

    assertThat(recorded.counter("decisions Grow None") + recorded.counter("decisions Grow Max"))
        .isEqualTo(1);
    assertThat(recorded.counter("decisions Shrink None")).isEqualTo(1);
    assertThat(recorded.counter("decisions Hold Stale")).isEqualTo(1);
    assertThat(recorded.counter("samplesAccepted")).isEqualTo(2);
    assertThat(recorded.histogram("sampleToDecisionMillis").getCount()).isEqualTo(2);
    assertThat(recorded.histogram("sampleToDecisionMillis").getStatistics().getMax()).isEqualTo(30);
  }

  @Test
  void countsDroppedSamplesByReason() throws Exception {
    sample(START - 100, 600);
    update(TierUpdate.of(POLICY));
    sample(START, 600);
    sample(START, 600);
    sample(START - 50, 600);
    sample(START - 2_001, 600);
    sample(START + 5_001, 600);
    part(START + 1, 0, 100);

    for (Refusal reason : Refusal.values()) {
      assertThat(recorded.counter("samplesDropped " + reason))
          .as("%s", reason)
          .isEqualTo(reason == Refusal.Incomplete ? 0 : 1);
    }
    assertThat(recorded.counter("samplesAccepted")).isEqualTo(1);
    assertThat(recorded.counter("decisionsWithoutAck")).isEqualTo(1);
  }

  @Test
  void tellsHowManyNodesAreSilent() throws Exception {
    ready();
    assertThat(recorded.gauge("silentNodes")).isEqualTo(0);
    at(START + 2_000);
    assertThat(recorded.gauge("silentNodes")).isEqualTo(1);
    assertThat(recorded.counter("silences")).isEqualTo(1);

    OperatorSubtaskState saved = job.snapshot(1, START);
    job.close();
    job = harness();
    job.initializeState(saved);
    job.open();
    at(START + 3_000);
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    assertThat(recorded.gauge("silentNodes")).as("after a restart").isEqualTo(1);
    assertThat(recorded.counter("silences")).isZero();

    sample(START + 3_000, 500);
    assertThat(recorded.gauge("silentNodes")).isEqualTo(0);
    at(START + 5_000);
    update(TierUpdate.withdrawal(new TierKey(NODE, "a")));
    assertThat(recorded.gauge("silentNodes")).as("nobody waits for it").isEqualTo(0);
  }

  private KeyedTwoInputStreamOperatorTestHarness<String, MemoryReading, TierUpdate, Target>
      harness() throws Exception {
    recorded = new RecordedMetrics();
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(new NodeFunction()) {
          @Override
          public InternalOperatorMetricGroup getMetricGroup() {
            return recorded.operator;
          }
        },
        MemoryReading::node,
        TierUpdate::node,
        Types.STRING);
  }

  /** A node with a policy, an ack of 500 bytes, and one sample decided. */
  private void ready() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 500);
    one();
  }

  private void at(long millis) throws Exception {
    now = millis;
    job.setProcessingTime(millis);
  }

  private void update(TierUpdate update) throws Exception {
    job.processElement2(update, now);
  }

  private void sample(long sampledMillis, long usedBytes) throws Exception {
    job.processElement1(
        new MemoryReading(NODE, sampledMillis, MemoryReading.WHOLE, 1_000, 1_000 - usedBytes), now);
  }

  /** Part 0 is what is used, part 5 the unreclaimable slab; the others count as available. */
  private void part(long sampledMillis, int part, long bytes) throws Exception {
    long availableBytes = part == 0 || part == 5 ? 0 : bytes;
    job.processElement1(
        new MemoryReading(NODE, sampledMillis, 1 << part, bytes, availableBytes), now);
  }

  private List<Target> fresh() {
    List<Target> all = new ArrayList<>(job.extractOutputValues());
    List<Target> fresh = all.subList(seen, all.size());
    seen = all.size();
    return fresh;
  }

  private Target one() {
    List<Target> fresh = fresh();
    assertThat(fresh).hasSize(1);
    return fresh.get(0);
  }
}
