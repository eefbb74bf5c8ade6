package io.dynims.cli.simulate;

import static io.dynims.cli.simulate.Runs.GB;
import static io.dynims.cli.simulate.Runs.TOTAL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

  private static final String TABLE_1 = "{threshold: 0.95, gain: 0.5}";

  @TempDir private Path folder;

  @Test
  void appliesEquationOneToEachRow() throws Exception {
    PolicyDocument policy = Runs.policy(folder, "{min: 0, max: 60G}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, Rates.UNLIMITED, 0, null),
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
    PolicyDocument policy = Runs.policy(folder, "{min: 0, max: 60G}", TABLE_1);
    Rates rates = new Rates(10e9, 5e9);
    TraceReader trace =
        Runs.trace(
            """
            0,65000000000,125000000000
            200,10000000000,125000000000
            300,10000000000,125000000000
            """);

    List<Tick> ticks = Runs.run(new Simulation(policy, rates, 0, null), trace);

    // 200 ms at 10 GB/s down towards 56.7 GB; 100 ms at 5 GB/s up, twice.
    assertThat(ticks)
        .extracting(Tick::tierBytes)
        .containsExactly(58_000_000_000L, 58_500_000_000L, 59_000_000_000L);
    assertThat(ticks.get(1).utilization()).isEqualTo(68.0 / 125);
  }

  @Test
  void addsUpWhatALowRateMovesByLessThanAByte() throws Exception {
    PolicyDocument policy = Runs.policy(folder, "{max: 1000}", TABLE_1);
    long[] idle = new long[40];

    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, new Rates(1, 1), 0, 0L), Runs.jobs(TOTAL_BYTES, addGb(idle)));

    // A tier of 0 may have 1,000 bytes at once, and takes one a second.
    assertThat(ticks.get(0).decision().desiredBytes()).isEqualTo(1_000);
    assertThat(ticks.get(39).tierBytes()).isEqualTo(4);
  }

  private static long[] addGb(long[] jobs) {
    Arrays.setAll(jobs, i -> GB);
    return jobs;
  }

  @Test
  void holdsUntilTheFirstSampleHasComeAndThenDecidesOnOldOnes() throws Exception {
    PolicyDocument policy = Runs.policy(folder, "{max: 60G}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, Rates.UNLIMITED, 2, null),
            Runs.jobs(TOTAL_BYTES, 65 * GB, 10 * GB, 10 * GB, 10 * GB));

    assertThat(ticks)
        .extracting(t -> t.decision().action() + " " + t.decision().limitedBy())
        .containsExactly("Hold Stale", "Hold Stale", "Shrink None", "Grow Max");
    assertThat(ticks)
        .extracting(t -> t.decision().input().utilization())
        .containsExactly(1.0, 0.56, 1.0, 0.56);
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
            new Simulation(PolicyDocument.read(file), Rates.UNLIMITED, 0, null),
            Runs.jobs(TOTAL_BYTES, 45 * GB));

    assertThat(ticks.get(0).toCsv())
        .isEqualTo("0,45000000000,125000000000,50000000000,50000000000,0.95,Hold,None");
  }

  @Test
  void letsPercentagesFollowTheNodesMemory() throws Exception {
    PolicyDocument policy = Runs.policy(folder, "{max: \"40%\"}", TABLE_1);

    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, Rates.UNLIMITED, 0, null),
            Runs.trace("0,1000,1000000\n100,1000,500000\n"));

    assertThat(ticks).extracting(Tick::tierBytes).containsExactly(400_000L, 200_000L);
  }

  @Test
  void namesTheNodeOnWhichBoundsDoNotFitTogether() throws Exception {
    PolicyDocument policy = Runs.policy(folder, "{min: 1G, max: \"10%\"}", TABLE_1);

    assertThatThrownBy(
            () ->
                Runs.run(
                    new Simulation(policy, Rates.UNLIMITED, 0, null), Runs.trace("0,0,1000000\n")))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("policy.yaml", "1000000 bytes", "maxBytes: 100000");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void staysWithinBoundsOnAnyLoad(long seed) throws Exception {
    Random random = new Random(seed);
    long min = random.nextInt(20) * GB;
    long max = min + random.nextInt(60) * GB;
    double gain = 0.05 + 1.9 * random.nextDouble();
    PolicyDocument policy =
        Runs.policy(
            folder, "{min: " + min + ", max: " + max + "}", "{threshold: 0.9, gain: " + gain + "}");
    long[] jobs = random.longs(500, 0, TOTAL_BYTES).toArray();

    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, Rates.UNLIMITED, random.nextInt(3), null),
            Runs.jobs(TOTAL_BYTES, jobs));

    assertThat(ticks)
        .as("seed %d", seed)
        .hasSize(500)
        .allSatisfy(
            tick -> {
              assertThat(tick.decision().desiredBytes()).isBetween(min, max);
              assertThat(tick.tierBytes()).isEqualTo(tick.decision().desiredBytes());
            });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void neverHoldsMoreThanBeforeOrThanItMay(long seed) throws Exception {
    Random random = new Random(seed);
    PolicyDocument policy = Runs.policy(folder, "{max: 60G}", TABLE_1);
    long[] jobs = random.longs(500, 0, TOTAL_BYTES).toArray();
    Rates rates = new Rates(30e9 * random.nextDouble(), 30e9 * random.nextDouble());

    List<Tick> ticks =
        Runs.run(new Simulation(policy, rates, 0, null), Runs.jobs(TOTAL_BYTES, jobs));

    long before = 60 * GB;
    for (Tick tick : ticks) {
      assertThat(tick.tierBytes())
          .as("seed %d at %d ms", seed, tick.row().millis())
          .isNotNegative()
          .isLessThanOrEqualTo(Math.max(before, tick.decision().desiredBytes()))
          .isGreaterThanOrEqualTo(Math.min(before, tick.decision().desiredBytes()));
      before = tick.tierBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 0.5, 0.7, 0.9})
  void comesCloserAtEveryTickWithAGainBelowOneAndNoDelay(double gain) throws Exception {
    PolicyDocument policy =
        Runs.policy(folder, "{max: 100G}", "{threshold: 0.95, gain: " + gain + "}");
    // A full tier beside a constant load, first below and then above where it will settle.
    long[] jobs = constant(200, 60 * GB);
    for (long start : new long[] {50 * GB, 65 * GB}) {
      List<Tick> ticks =
          Runs.run(new Simulation(policy, Rates.UNLIMITED, 0, start), Runs.jobs(TOTAL_BYTES, jobs));

      double settled = 0.95 * TOTAL_BYTES - 60e9;
      double error = Math.abs(start - settled);
      for (Tick tick : ticks) {
        double next = Math.abs(tick.tierBytes() - settled);
        assertThat(next).isLessThanOrEqualTo(error + 1);
        error = next;
      }
      assertThat(error).isLessThan(100);
    }
  }

  /** A loop with d ticks of delay is stable up to a gain of 2 · sin(π / (4 · d + 2)). */
  @ParameterizedTest
  @CsvSource({"0, 1.95", "1, 0.95", "2, 0.58", "3, 0.42", "5, 0.27"})
  void settlesBelowTheGainThatItsDelayAllows(int delayTicks, double gain) throws Exception {
    assertThat(lateSwingBytes(delayTicks, gain)).isLessThan(1_000_000);
  }

  @ParameterizedTest
  @CsvSource({"1, 1.05", "2, 0.65", "3, 0.47", "5, 0.3", "1, 1.9"})
  void swingsForEverAboveTheGainThatItsDelayAllows(int delayTicks, double gain) throws Exception {
    assertThat(lateSwingBytes(delayTicks, gain)).isGreaterThan(GB);
  }

  /** By how much the tier still changes once a small disturbance is 2,000 ticks ago. */
  private long lateSwingBytes(int delayTicks, double gain) throws Exception {
    PolicyDocument policy =
        Runs.policy(folder, "{max: 100G}", "{threshold: 0.95, gain: " + gain + "}");
    long settled = Math.round(0.95 * TOTAL_BYTES) - 60 * GB;
    List<Tick> ticks =
        Runs.run(
            new Simulation(policy, Rates.UNLIMITED, delayTicks, settled - GB / 10),
            Runs.jobs(TOTAL_BYTES, constant(2_200, 60 * GB)));
    var late = ticks.subList(2_000, 2_200).stream().mapToLong(Tick::tierBytes).summaryStatistics();
    return late.getMax() - late.getMin();
  }

  private static long[] constant(int rows, long bytes) {
    long[] jobs = new long[rows];
    Arrays.fill(jobs, bytes);
    return jobs;
  }
}
