package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A node that reports by exception, and the same one that sends every sample, on any load. */
class NodeLoopExceptionPropertiesTest {

  private static final long INTERVAL_MILLIS = 100;
  private static final long STALE_MILLIS = 2_000;
  private static final double THRESHOLD = 0.95;

  /**
   * Both know the jobs of a burst to the byte, but one may know what they held before only within
   * the tolerance: its forecast of the next rise is off by as much, for one and a half intervals.
   */
  private static final double FORECAST_TOLERANCES = 2.5;

  private static final long MORE_BYTES =
      (long) (FORECAST_TOLERANCES * SampledNode.TOLERANCE_BYTES) + 1;

  /** A part of a load. */
  private record Phase(int ticks, long stepBytes, long noiseBytes) {}

  @Property(tries = 300)
  void aBurstFindsNoGreaterTierThanIfEverySampleHadBeenSent(
      @ForAll LawType law, @ForAll("loads") List<Phase> phases, @ForAll long seed) {
    List<Long> jobs = jobs(phases, seed);
    SampledNode everySample = new SampledNode(policy(law), false);
    SampledNode byException = new SampledNode(policy(law), true);

    for (int i = 0; i < jobs.size(); i++) {
      long millis = SampledNode.START + i * INTERVAL_MILLIS;
      long latency = new Random(seed + i).nextInt(40);
      for (SampledNode node : List.of(everySample, byException)) {
        node.sample(millis, jobs.get(i), false, latency);
        node.pass(millis + latency);
      }
      boolean rises = i > 0 && jobs.get(i) - jobs.get(i - 1) > SampledNode.TOLERANCE_BYTES;
      if (rises) {
        // Forecast grows a little earlier where it sees less noise, up to the threshold.
        long mostBytes =
            law == LawType.Forecast
                ? Math.max(everySample.capacityBytes(), roomBytes(jobs.get(i)))
                : everySample.capacityBytes();
        assertThat(byException.capacityBytes())
            .as("tick %d", i)
            .isLessThanOrEqualTo(mostBytes + MORE_BYTES);
      }
    }
    assertThat(byException.sent()).isLessThanOrEqualTo(everySample.sent());
  }

  @Property(tries = 300)
  void lostAndLateMessagesCostNoReportItsTurnAndGrowATierByNoMoreThanTheLastReportAllows(
      @ForAll LawType law, @ForAll("loads") List<Phase> phases, @ForAll long seed) {
    List<Long> jobs = jobs(phases, seed);
    SampledNode everySample = new SampledNode(policy(law), false);
    SampledNode byException = new SampledNode(policy(law), true);
    Random random = new Random(seed);

    for (int i = 0; i < jobs.size(); i++) {
      long millis = SampledNode.START + i * INTERVAL_MILLIS;
      boolean lost = random.nextInt(5) == 0;
      long latency = random.nextInt(4) == 0 ? random.nextInt(250) : random.nextInt(40);
      for (SampledNode node : List.of(everySample, byException)) {
        node.sample(millis, jobs.get(i), lost, latency);
        node.pass(millis + INTERVAL_MILLIS - 1);
      }
      // At first and after a silence, a report asks for the tier's ack. Then the next sample is
      // decided, even if the node leaves it out.
      boolean back = millis - byException.backMillis() < INTERVAL_MILLIS;
      // Feedback is not stable with such delays, whatever is sent.
      if (law == LawType.Forecast && !back) {
        long roomBytes = roomBytes(byException.reportedJobBytes());
        assertThat(byException.capacityBytes())
            .as("tick %d", i)
            .isLessThanOrEqualTo(Math.max(everySample.capacityBytes(), roomBytes) + MORE_BYTES);
      }
    }
    assertThat(byException.refused(Refusal.OutOfOrder)).isZero();
    assertThat(byException.refused(Refusal.Repeated)).isZero();
    for (SampledNode node : List.of(everySample, byException)) {
      node.pass(SampledNode.START + jobs.size() * INTERVAL_MILLIS + 10 * STALE_MILLIS);
      boolean heard = node.acceptedMillis() > 0;
      assertThat(node.holdMillis()).isEqualTo(heard ? node.acceptedMillis() + STALE_MILLIS : 0);
    }
  }

  /** The tier that leaves the node at its threshold. */
  private static long roomBytes(long jobBytes) {
    return Math.round(THRESHOLD * SampledNode.TOTAL_BYTES) - jobBytes;
  }

  /** Without a dead band, within which a law may leave the capacity as it happens to be. */
  private static Policy policy(LawType law) {
    ForecastParameters defaults = law.defaults(INTERVAL_MILLIS);
    ForecastParameters forecast =
        defaults == null
            ? null
            : new ForecastParameters(
                defaults.lookAheadMillis(),
                0,
                defaults.settleMillis(),
                defaults.headStart(),
                defaults.reserve(),
                defaults.maxGrow(),
                defaults.maxShrink(),
                defaults.pressureLimit());
    return new Policy(
        "n",
        "t",
        Mode.Enforce,
        law,
        THRESHOLD,
        law.defaultGain(),
        forecast,
        0L,
        null,
        SampledNode.TOTAL_BYTES,
        null,
        SampledNode.TOTAL_BYTES,
        INTERVAL_MILLIS,
        STALE_MILLIS,
        null,
        null,
        null,
        null);
  }

  private static List<Long> jobs(List<Phase> phases, long seed) {
    Random random = new Random(seed);
    List<Long> jobs = new ArrayList<>();
    double level = 0.3 * SampledNode.TOTAL_BYTES;
    for (Phase phase : phases) {
      for (int i = 0; i < phase.ticks(); i++) {
        level += phase.stepBytes();
        level = Math.max(0, Math.min(0.9 * SampledNode.TOTAL_BYTES, level));
        double noise = phase.noiseBytes() * (2 * random.nextDouble() - 1);
        jobs.add(Math.max(0, Math.round(level + noise)));
      }
    }
    return jobs;
  }

  /** Calm times with a little noise, slow drifts, bursts, steps and falls. */
  @Provide
  Arbitrary<List<Phase>> loads() {
    long tolerance = SampledNode.TOLERANCE_BYTES;
    Arbitrary<Phase> calm =
        Combinators.combine(
                Arbitraries.integers().between(1, 30),
                Arbitraries.longs().between(-tolerance / 4, tolerance / 4),
                Arbitraries.longs().between(0, tolerance / 2))
            .as(Phase::new);
    Arbitrary<Phase> moving =
        Combinators.combine(
                Arbitraries.integers().between(1, 8),
                Arbitraries.longs().between(-100 * tolerance, 100 * tolerance),
                Arbitraries.longs().between(0, tolerance))
            .as(Phase::new);
    return Arbitraries.oneOf(calm, moving).list().ofMinSize(1).ofMaxSize(12);
  }
}
