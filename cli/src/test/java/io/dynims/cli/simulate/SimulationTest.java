package io.dynims.cli.simulate;

import static io.dynims.cli.simulate.Runs.GB;
import static io.dynims.cli.simulate.Runs.TOTAL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.Tick;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

  private static final String TABLE_1 = "{type: Feedback, threshold: 0.95, gain: 0.5}";

  @TempDir private Path folder;

  @Test
  void appliesEquationOneToEachRow() throws Exception {
    Policy policy = Runs.policy(folder, "{min: 0, max: 60G}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, 0, null),
            Runs.jobs(TOTAL_BYTES, 65 * GB, 65 * GB, 10 * GB));

    // By hand, u − 0.5 · v · (v / 125e9 − 0.95) / 0.95:
    // v = 65 + 60 = 125 GB: step 0.5 · 125e9 · 0.05 / 0.95 = 3,289,473,684.2
    // v = 121,710,526,316: r = 0.973684210528, step 1,517,167,225.7
    // v = 10e9 + 55,193,359,090: r = 0.52154687272, step −14,701,209,778.9, which Umax limits
    assertThat(ticks.stream().map(Tick::toCsv))
        .containsExactly(
            "0,65000000000,125000000000,56710526316,56710526316,1.0,Shrink,None",
            "100,65000000000,125000000000,55193359090,55193359090,0.973684210528,Shrink,None",
            "200,10000000000,125000000000,60000000000,60000000000,0.52154687272,Grow,Max");
  }

  @Test
  void movesTheTierAtItsRatesForAsLongAsTheTickLasts() throws Exception {
    Policy policy = Runs.policy(folder, "{min: 0, max: 60G}", TABLE_1);
    Rates rates = new Rates(10e9, 5e9);
    TraceReader trace =
        Runs.trace(
            """
            0,65000000000,125000000000
            200,10000000000,125000000000
            300,10000000000,125000000000
            """);

    List<Tick> ticks = Runs.run(Runs.simulation(policy, rates, 0, null), trace);

    // 200 ms at 10 GB/s down towards 56.7 GB; 100 ms at 5 GB/s up, twice.
    assertThat(ticks)
        .extracting(Tick::tierBytes)
        .containsExactly(58_000_000_000L, 58_500_000_000L, 59_000_000_000L);
    assertThat(ticks.get(1).utilization()).isEqualTo(68.0 / 125);
  }

  @Test
  void addsUpWhatALowRateMovesByLessThanAByte() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 1000}", TABLE_1);
    long[] idle = new long[40];

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, new Rates(1, 1), 0, 0L), Runs.jobs(TOTAL_BYTES, addGb(idle)));

    // A tier of 0 may have 1,000 bytes at once, and takes one a second.
    assertThat(ticks.get(0).capacityBytes()).isEqualTo(1_000);
    assertThat(ticks.get(39).tierBytes()).isEqualTo(4);
  }

  private static long[] addGb(long[] jobs) {
    Arrays.setAll(jobs, i -> GB);
    return jobs;
  }

  @Test
  void decidesNothingUntilTheFirstSampleHasComeAndThenOnOldOnes() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, 2, null),
            Runs.jobs(TOTAL_BYTES, 65 * GB, 10 * GB, 10 * GB, 10 * GB));

    assertThat(ticks.subList(0, 2)).extracting(Tick::decision).containsOnlyNulls();
    assertThat(ticks.get(0).toCsv()).endsWith(",1.0,,");
    assertThat(ticks.subList(2, 4))
        .extracting(t -> t.decision().action() + " " + t.decision().limitedBy())
        .containsExactly("Shrink None", "Grow Max");
    assertThat(ticks.subList(2, 4))
        .extracting(t -> t.decision().utilization())
        .containsExactly(1.0, 0.56);
    assertThat(ticks)
        .extracting(Tick::utilization)
        .containsExactly(1.0, 0.56, 0.56, 0.5336842105280);
  }

  @Test
  void takesTheBudgetOfThePolicyForTheNodesMemory() throws Exception {
    Path file = folder.resolve("budget.yaml");
    Files.writeString(
        file,
        """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: alluxio}
        spec:
          nodes: {selector: {}}
          capacity: {max: "50%"}
          memory: {total: 100G}
        """);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(PolicyDocument.read(file), Rates.UNLIMITED, 0, null),
            Runs.jobs(TOTAL_BYTES, 45 * GB));

    assertThat(ticks.get(0).toCsv())
        .isEqualTo("0,45000000000,125000000000,50000000000,50000000000,0.95,Hold,None");
  }

  @Test
  void letsPercentagesFollowTheNodesMemory() throws Exception {
    Policy policy = Runs.policy(folder, "{max: \"40%\"}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, 0, null),
            Runs.trace("0,1000,1000000\n100,1000,500000\n"));

    assertThat(ticks).extracting(Tick::tierBytes).containsExactly(400_000L, 200_000L);
  }

  @Test
  void theMaximumHoldsWhereTheMinimumIsAboveIt() throws Exception {
    Policy policy = Runs.policy(folder, "{min: 1G, max: \"10%\"}", TABLE_1);

    List<Tick> ticks =
        Runs.run(Runs.simulation(policy, Rates.UNLIMITED, 0, null), Runs.trace("0,0,1000000\n"));

    assertThat(ticks.get(0).capacityBytes()).isEqualTo(100_000);
  }

  @Test
  void decidesOnceAnIntervalWhereRowsComeMoreOften() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", "{interval: 300ms}");

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, 0, null),
            Runs.jobs(TOTAL_BYTES, Runs.constant(7, 65 * GB)));

    assertThat(ticks)
        .extracting(tick -> tick.decision() != null)
        .containsExactly(true, false, false, true, false, false, true);
  }

  @Test
  void refusesSamplesThatAreTooOld() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);

    // Default: stale after 2 s.
    assertThat(decisionsWithDelay(policy, 20)).isPositive();
    assertThat(decisionsWithDelay(policy, 21)).isZero();
  }

  private static long decisionsWithDelay(Policy policy, int delayTicks) throws Exception {
    return Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, delayTicks, null),
            Runs.jobs(TOTAL_BYTES, Runs.constant(40, 65 * GB)))
        .stream()
        .filter(tick -> tick.decision() != null)
        .count();
  }

  @Test
  void decidesOnTheCapacityThatWasLastAcknowledged() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    var acksTwoTicksLate = SimulationOptions.Link.delayed(0, 2);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, SimulationOptions.Tier.of(Rates.UNLIMITED), acksTwoTicksLate),
            Runs.jobs(TOTAL_BYTES, Runs.constant(4, 65 * GB)));

    assertThat(ticks)
        .extracting(tick -> tick.decision().previousBytes())
        .containsExactly(60 * GB, 60 * GB, 60 * GB, ticks.get(0).capacityBytes());
  }

  @Test
  void aSteadyTierIsNotPushedForAChangeWithinTheTolerance() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    var tier = SimulationOptions.Tier.of(Rates.UNLIMITED).startingAt(53 * GB);
    var options = new SimulationOptions(tier, SimulationOptions.Link.IDEAL, 0.01, 500);
    long[] jobs = Runs.constant(12, 65 * GB);
    jobs[4] += GB / 10;

    List<Tick> exact =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, 0, 53 * GB), Runs.jobs(TOTAL_BYTES, jobs));
    List<Tick> tolerant = Runs.run(new Simulation(policy, options), Runs.jobs(TOTAL_BYTES, jobs));

    assertThat(exact).extracting(Tick::capacityBytes).doesNotHaveDuplicates();
    assertThat(tolerant.stream().map(Tick::capacityBytes).distinct().count())
        .as("capacities in force: at first, after two pushes, and after each half second")
        .isLessThan(6);
    assertThat(tolerant).extracting(Tick::decision).doesNotContainNull();
  }

  @Test
  void anAckAfterAShrinkBelowWhatIsLockedTellsTheCapacityInForce() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    var tier =
        new SimulationOptions.Tier(
            Rates.UNLIMITED, SimulationOptions.UNBOUNDED, 50 * GB, null, null, 0);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, tier, SimulationOptions.Link.IDEAL),
            Runs.jobs(TOTAL_BYTES, Runs.constant(20, 100 * GB)));

    Tick last = ticks.get(19);
    assertThat(last.decision().desiredBytes()).isLessThan(50 * GB);
    assertThat(last.decision().previousBytes()).isEqualTo(50 * GB);
    assertThat(last.decision().unevictableBytes()).isPositive();
    assertThat(last.capacityBytes()).isEqualTo(50 * GB);
    assertThat(last.tierBytes()).isEqualTo(50 * GB);
    assertThat(last.totals().evictedBytes()).isEqualTo(10 * GB);
  }

  @Test
  void nothingIsPushedWhileThePushBeforeIsUnanswered() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", "{type: Forecast, threshold: 0.95}");
    var tier =
        new SimulationOptions.Tier(
            new Rates(1e9, 1e9), SimulationOptions.UNBOUNDED, 0, null, null, 500);
    var link = new SimulationOptions.Link(0, 0, 0, 1, true);
    long[] jobs = Runs.constant(20, 62 * GB);
    Arrays.fill(jobs, 0, 5, 58 * GB);

    List<Tick> ticks = Runs.run(Runs.simulation(policy, tier, link), Runs.jobs(TOTAL_BYTES, jobs));

    List<Tick> unanswered = ticks.subList(5, 9);
    assertThat(unanswered).extracting(Tick::capacityBytes).containsOnly(56_125_000_000L);
    assertThat(unanswered)
        .as("what is asked for does not fall while nobody answers")
        .allMatch(tick -> tick.decision().desiredBytes() == 56_125_000_000L);
    assertThat(ticks.get(19).capacityBytes()).isGreaterThan(56 * GB);
  }

  @ParameterizedTest
  @ValueSource(doubles = {5e9, 20e9, Double.POSITIVE_INFINITY})
  void aStoreThatAnswersLateEvictsHardlyMoreThanAJumpOfTheJobsNeeds(double freeBytesPerSecond)
      throws Exception {
    Policy policy = Runs.policy(folder, "{max: 50G}", "{type: Forecast, threshold: 0.95}");
    var tier =
        new SimulationOptions.Tier(
            new Rates(freeBytesPerSecond, 1e9), SimulationOptions.UNBOUNDED, 0, null, null, 300);
    var link = new SimulationOptions.Link(0, 0, 0, 1, true);
    long fullBytes = (long) (0.95 * TOTAL_BYTES) - 50 * GB;
    long[] jobs = Runs.constant(100, fullBytes + 5 * GB);
    Arrays.fill(jobs, 0, 20, fullBytes);

    List<Tick> ticks = Runs.run(Runs.simulation(policy, tier, link), Runs.jobs(TOTAL_BYTES, jobs));

    assertThat(ticks.get(19).totals().evictedBytes()).isZero();
    assertThat(ticks.get(99).totals().evictedBytes()).isBetween(5 * GB, 6 * GB);
  }

  @Test
  void theTierHoldsWhatTheTraceAsksForAndElseWhatTheOptionSays() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    var tier =
        new SimulationOptions.Tier(Rates.UNLIMITED, MemorySize.ofRatio(0.2), 0, null, 5 * GB, 0);

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, tier, SimulationOptions.Link.IDEAL),
            Runs.trace(
                """
                millis,jobBytes,totalBytes,demandBytes
                0,10000000000,125000000000,40000000000
                100,10000000000,125000000000,
                200,10000000000,125000000000,99000000000
                """));

    assertThat(ticks.get(0).utilization()).isEqualTo(15.0 / 125);
    assertThat(ticks).extracting(Tick::tierBytes).containsExactly(40 * GB, 25 * GB, 60 * GB);
    assertThat(ticks.get(2).totals().filledBytes()).isEqualTo(70 * GB);
    assertThat(ticks.get(2).totals().evictedBytes()).isZero();
  }

  @Test
  void losesTheSameSamplesWithTheSameSeed() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);

    List<Boolean> decided = decidedWithLoss(policy, 0.5, 7);

    assertThat(decided).isEqualTo(decidedWithLoss(policy, 0.5, 7));
    assertThat(decided).isNotEqualTo(decidedWithLoss(policy, 0.5, 8));
    assertThat(decided.stream().filter(d -> d).count()).isBetween(150L, 250L);
    assertThat(decidedWithLoss(policy, 1, 7)).containsOnly(false);
    assertThat(decidedWithLoss(policy, 0, 7)).containsOnly(true);
  }

  private static List<Boolean> decidedWithLoss(Policy policy, double ratio, long seed)
      throws Exception {
    return Runs.run(
            Runs.simulation(
                policy,
                SimulationOptions.Tier.of(Rates.UNLIMITED),
                new SimulationOptions.Link(0, 0, ratio, seed, false)),
            Runs.jobs(TOTAL_BYTES, Runs.constant(400, 65 * GB)))
        .stream()
        .map(tick -> tick.decision() != null)
        .toList();
  }

  @Test
  void samplesTellHowLongTasksStalled() throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    // r = 1.015 is halfway between no stall and nothing but stall.
    long[] jobs = Runs.constant(3, Math.round(1.015 * TOTAL_BYTES) - 60 * GB);

    List<Tick> ticks =
        Runs.run(Runs.simulation(policy, new Rates(0, 0), 0, null), Runs.jobs(TOTAL_BYTES, jobs));

    assertThat(ticks.get(1).decision().pressure()).isCloseTo(0.5, within(0.001));
    assertThat(ticks.get(2).totals().stalledMicros()).isCloseTo(150_000, within(10L));
  }

  @Test
  void samplesTellWhatTheTierHoldsUnlessOnlyAcksDo() throws Exception {
    assertThat(tierUsedInFourthDecision(false)).as("a gigabyte a tick").isEqualTo(57 * GB);
    assertThat(tierUsedInFourthDecision(true)).isNotEqualTo(57 * GB);
  }

  private long tierUsedInFourthDecision(boolean usedFromAcks) throws Exception {
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    var tier = SimulationOptions.Tier.of(new Rates(10e9, 0));
    var link = new SimulationOptions.Link(0, 2, 0, 1, usedFromAcks);
    return Runs.run(
            Runs.simulation(policy, tier, link), Runs.jobs(TOTAL_BYTES, Runs.constant(4, 100 * GB)))
        .get(3)
        .decision()
        .tierUsedBytes();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void staysWithinBoundsOnAnyLoad(long seed) throws Exception {
    Random random = new Random(seed);
    long min = random.nextInt(20) * GB;
    long max = min + random.nextInt(60) * GB;
    double gain = 0.05 + 1.9 * random.nextDouble();
    Policy policy =
        Runs.policy(
            folder,
            "{min: " + min + ", max: " + max + "}",
            "{type: Feedback, threshold: 0.9, gain: " + gain + "}");
    long[] jobs = random.longs(500, 0, TOTAL_BYTES).toArray();

    List<Tick> ticks =
        Runs.run(
            Runs.simulation(policy, Rates.UNLIMITED, random.nextInt(3), null),
            Runs.jobs(TOTAL_BYTES, jobs));

    assertThat(ticks)
        .as("seed %d", seed)
        .hasSize(500)
        .allSatisfy(
            tick -> {
              assertThat(tick.capacityBytes()).isBetween(min, max);
              assertThat(tick.tierBytes()).isEqualTo(tick.capacityBytes());
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void neverHoldsMoreThanBeforeOrThanItMay(long seed) throws Exception {
    Random random = new Random(seed);
    Policy policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    long[] jobs = random.longs(500, 0, TOTAL_BYTES).toArray();
    Rates rates = new Rates(30e9 * random.nextDouble(), 30e9 * random.nextDouble());

    List<Tick> ticks =
        Runs.run(Runs.simulation(policy, rates, 0, null), Runs.jobs(TOTAL_BYTES, jobs));

    long before = 60 * GB;
    for (Tick tick : ticks) {
      assertThat(tick.tierBytes())
          .as("seed %d at %d ms", seed, tick.row().millis())
          .isNotNegative()
          .isLessThanOrEqualTo(Math.max(before, tick.capacityBytes()))
          .isGreaterThanOrEqualTo(Math.min(before, tick.capacityBytes()));
      before = tick.tierBytes();
    }
  }
}
