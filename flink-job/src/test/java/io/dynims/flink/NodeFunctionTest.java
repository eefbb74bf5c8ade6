package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Action;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.Limit;
import io.dynims.core.law.NodeModel;
import io.dynims.core.loop.Refusal;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Flink's harness: real keyed state and timers, and a clock in our hands. */
class NodeFunctionTest {

  private static final long START = 1_000_000;
  private static final String NODE = "node-1";
  private static final Policy POLICY = Samples.policy(NODE, "a", Mode.Enforce);

  @AutoClose
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

  @Test
  void decidesByTheLawFromTheAcknowledgedCapacity() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START, 980);
    var expected = POLICY.decide(new LawInput(500, 0, 980, 1_000, START), new NodeModel());
    Target target = one();
    assertThat(target)
        .isEqualTo(Target.of(new TierKey(NODE, "a"), expected, expected.reason(), 0L, START));
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
  void decidesWithoutASampleForANodeThatLeavesOutWhatHasNotChanged() throws Exception {
    update(TierUpdate.of(POLICY));
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    job.processElement1(
        new MemoryReading(NODE, START, MemoryReading.WHOLE, 1_000, 500, null, null, 500, 1), now);
    Target onSample = one();
    answer(START);
    at(START + 149);
    assertThat(fresh()).isEmpty();
    at(START + 150);
    Target unchanged = one();

    assertThat(unchanged.reason()).startsWith("unchanged for 0.1 s: ");
    assertThat(unchanged.desiredBytes()).isEqualTo(onSample.desiredBytes());
    assertThat(job.numProcessingTimeTimers()).isEqualTo(1);
    assertThat(recorded.histogram("sampleToDecisionMillis").getCount()).isEqualTo(1);
    for (long t = START + 250; t <= START + 450; t += 100) {
      answer(t - 150);
      at(t);
      one();
    }
    at(START + 1_999);
    assertThat(fresh()).isEmpty();
    at(START + 2_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  /** The tier has not been able to change its capacity. */
  private void answer(long sampledMillis) throws Exception {
    Ack answer = new Ack(NODE, "a", 500L, 500L, 0L, AckStatus.Partial, "", sampledMillis, now);
    update(TierUpdate.of(answer));
  }

  /** No decoder lets such a reading pass; whatever else the loop fails on is to end the same. */
  @Test
  void goesOnWhereTheLoopOfANodeFails() throws Exception {
    ready();
    at(START + 100);
    job.processElement1(new MemoryReading(NODE, now, MemoryReading.WHOLE, -5, 0), now);
    assertThat(recorded.counter("failures")).isEqualTo(1);
    assertThat(fresh()).isEmpty();
    assertThat(job.numProcessingTimeTimers()).isZero();

    update(TierUpdate.of(Samples.policy("node-2", "a", Mode.Enforce)));
    update(TierUpdate.of(Samples.ack("node-2", "a", 500, 0)));
    job.processElement1(new MemoryReading("node-2", now, MemoryReading.WHOLE, 1_000, 20), now);
    assertThat(one().action()).isEqualTo(Action.Shrink);

    at(START + 200);
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START + 200, 980);
    assertThat(one().action()).as("its policy is known still").isEqualTo(Action.Shrink);
    assertThat(recorded.counter("failures")).isEqualTo(1);
  }

  @Test
  void stopsWhenThePolicyIsWithdrawn() throws Exception {
    ready();
    update(TierUpdate.withdrawal(new TierKey(NODE, "a")));
    at(START + 100);
    sample(START + 100, 500);
    at(START + 2_100);
    at(START + 4_100);
    assertThat(fresh()).isEmpty();
    assertThat(job.numKeyedStateEntries()).as("a node without policies is forgotten").isZero();
  }

  @Test
  void forgetsASilentNodeOnceItsPolicyIsWithdrawn() throws Exception {
    ready();
    at(START + 2_000);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
    update(TierUpdate.withdrawal(new TierKey(NODE, "a")));
    assertThat(job.numKeyedStateEntries()).isZero();
    assertThat(job.numProcessingTimeTimers()).isZero();
  }

  @Test
  void keepsNothingOfAWithdrawalOrARefusedSampleOfANodeThatIsUnknown() throws Exception {
    update(TierUpdate.withdrawal(new TierKey(NODE, "a")));
    sample(START - 60_000, 500);
    sample(START + 60_000, 500);
    assertThat(job.numKeyedStateEntries()).isZero();
  }

  @Test
  void decidesAndNoticesSilenceAfterAllClocksWereSetBackAQuarterOfAnHour() throws Exception {
    ready();
    long start = START - 900_000;
    at(start);
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    at(start + 100);
    sample(start + 100, 500);
    assertThat(one().sampledMillis()).isEqualTo(start + 100);
    assertThat(job.numProcessingTimeTimers()).isEqualTo(1);
    at(start + 2_000);
    at(start + 2_100);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  @Test
  void decidesAndNoticesSilenceAfterAllClocksWereSetForwardAnHour() throws Exception {
    ready();
    long start = START + 3_600_000;
    at(start);
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    assertThat(fresh()).as("the clock says nothing of the node").isEmpty();
    at(start + 100);
    sample(start + 100, 500);
    assertThat(one().reason()).startsWith("utilization");
    at(start + 2_000);
    at(start + 2_100);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
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
    assertThat(one().limitedBy()).as("the ack is as old").isEqualTo(Limit.Unconfirmed);
    update(TierUpdate.of(Samples.ack(NODE, "a", 500, 0)));
    sample(START + 60_001, 500);
    assertThat(one().reason()).startsWith("utilization");
    at(START + 62_000);
    at(START + 62_001);
    assertThat(one().limitedBy()).isEqualTo(Limit.Stale);
  }

  @Test
  void goesOnFromTheStateOfAnEarlierVersion() throws Exception {
    String path = getClass().getResource("node-before-guard.state").getPath();
    OperatorSubtaskState saved = OperatorSnapshotUtil.readStateHandle(path);
    job.close();
    job = harness();
    job.initializeState(saved);
    job.open();
    at(START + 100);
    job.processElement1(reading("n", START + 100), START + 100);
    Target target = one();
    assertThat(target.previousBytes()).isEqualTo(500);
    assertThat(target.acknowledgedMillis()).isZero();
    assertThat(target.tierUsedBytes()).isEqualTo(400);
    assertThat(target.limitedBy())
        .as("it was told before the restart")
        .isEqualTo(Limit.Unconfirmed);

    update(TierUpdate.of(Samples.ack("n", target.tier(), 500, 400)));
    job.processElement1(reading("n", START + 101), START + 101);
    assertThat(one().reason()).startsWith("utilization");
  }

  private static MemoryReading reading(String node, long millis) {
    return new MemoryReading(node, millis, MemoryReading.WHOLE, 1_000, 300);
  }

  @Test
  void knowsOverARestartWhatOfAHintIsTaken() throws Exception {
    Hint hint = new Hint("job", 200, START, START + 60_000);
    update(TierUpdate.of(POLICY));
    for (int i = 0; i < 5; i++) {
      at(START + i * 100L);
      update(TierUpdate.of(Samples.ack(NODE, "a", 400, List.of(hint))));
      job.processElement1(reading(now, 700), now);
    }
    at(START + 500);
    job.processElement1(reading(now, 850), now);
    List<Target> decided = fresh();
    assertThat(decided).element(0).extracting(Target::hintedBytes).isEqualTo(200L);
    assertThat(decided).last().extracting(Target::hintedBytes).isEqualTo(50L);

    OperatorSubtaskState saved = job.snapshot(1, now);
    job.close();
    job = harness();
    job.initializeState(saved);
    job.open();
    seen = 0;
    at(START + 600);
    update(TierUpdate.of(Samples.ack(NODE, "a", 400, List.of(hint))));
    job.processElement1(reading(now, 850), now);

    assertThat(one().hintedBytes()).isEqualTo(50);
  }

  /** A sample that tells that tier "a" holds 400. */
  private static MemoryReading reading(long sampledMillis, long usedBytes) {
    return new MemoryReading(
        NODE,
        sampledMillis,
        MemoryReading.WHOLE,
        1_000,
        1_000 - usedBytes,
        new MemoryReading.TierUse("a", 400),
        null);
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
    job.processElement1(
        new MemoryReading(NODE, START + 2, MemoryReading.WHOLE, 1_000, 400, null, null, 2_000, 1),
        now);

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
