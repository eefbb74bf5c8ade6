package io.dynims.core.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.Formula.Condition;
import io.dynims.core.law.Formula.Term;
import io.dynims.core.testing.Needs;
import io.dynims.core.testing.Seeds;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What docs/control.md promises of {@link ForecastLaw}, proved for all inputs by a solver, and that
 * the formula which the solver is given is what the class computes.
 */
class ForecastLawProofTest {

  private static final Term ZERO = Term.of(0);
  private static final String PROVED = "unsat";
  private static final String REFUTED = "sat";
  private static final int RUNS = 12_500;
  private static final int SAMPLES = 8;
  private static final double ROUNDING_BYTES = 8;

  private final Formula formula = new Formula();
  private final Set<String> seen = new TreeSet<>();

  @Test
  void aDecisionIsSafeWhenItIsMade() throws Exception {
    var decision = new ForecastFormula(formula, "", Map.of());
    formula.assume(decision.isWhole);
    Term edge = decision.setPoint.plus(decision.band);

    assertThat(solve(formula.smt(isWithin(edge, decision)))).isEqualTo(PROVED);
    assertThat(solve(formula.smt(isWithin(decision.setPoint, decision))))
        .as("without the dead band")
        .isEqualTo(REFUTED);
  }

  /** The capacity is the floor, or leaves room for what the jobs hold at least, and for hints. */
  private static Condition isWithin(Term most, ForecastFormula decision) {
    Term jobs = decision.memory.minus(decision.mostUsed).max(ZERO);
    Term all = decision.next.plus(jobs).plus(decision.hinted);
    return decision.next.isAtMost(decision.floor).or(all.isAtMost(most));
  }

  @Test
  void aTierDoesNotGrowBeyondWhatItHoldsAboveTheThresholdOrUnderPressure() throws Exception {
    var decision = new ForecastFormula(formula, "", Map.of());
    Term held = decision.capacity.max(decision.least);
    Condition grows = decision.next.isAbove(held.max(decision.floor));

    assertThat(solve(formula.smt(grows.not().or(decision.mayGrow.isSet())))).isEqualTo(PROVED);
    assertThat(solve(formula.smt(grows.not()))).as("at all").isEqualTo(REFUTED);
  }

  @Test
  void aShrinkThatIsUnansweredIsNotAskedForAgain() throws Exception {
    assertThat(solve(secondShrink(Term.of(1)))).isEqualTo(PROVED);
  }

  @Test
  void aLawThatForgetsWhatTheJobsHeldAsksAgain() throws Exception {
    assertThat(solve(secondShrink(ZERO))).isEqualTo(REFUTED);
  }

  /**
   * Claims that the next sample takes no more: the jobs hold what they held, and the store has
   * answered nothing yet, but may have freed a part that v shows.
   */
  private String secondShrink(Term known) {
    var first = new ForecastFormula(formula, "1", Map.of());
    formula.assume(first.isWhole);
    formula.assume(first.next.isAtMost(first.capacity.min(first.desired)));
    Term freed = formula.amount("freed");
    Term least = formula.define("least2", first.used.min(first.next).min(first.least));
    formula.assume(freed.isAtMost(first.used.minus(least).min(first.memory)));
    Map<String, Term> given = unanswered(first);
    given.put("least", least);
    given.put("memory", first.memory.minus(freed));
    given.put("known", known);
    var second = new ForecastFormula(formula, "2", given);
    formula.assume(second.rise.isAtMost(first.rise));
    formula.assume(second.reserve.isAtMost(first.reserve));
    return formula.smt(first.next.isAtMost(second.next));
  }

  private static Map<String, Term> unanswered(ForecastFormula first) {
    Map<String, Term> given = new HashMap<>();
    given.put("capacity", first.capacity);
    given.put("desired", first.next);
    given.put("used", first.used);
    given.put("mostUsed", first.mostUsed);
    given.put("allTiers", first.allTiers);
    given.put("allLeast", first.allLeast);
    given.put("allMost", first.allMost);
    given.put("hinted", first.hinted);
    given.put("setPoint", first.setPoint);
    given.put("band", first.band);
    given.put("floor", first.floor);
    given.put("max", first.max);
    given.put("headStart", first.headStart);
    given.put("heldBefore", first.held);
    return given;
  }

  /** Nodes of up to 1 PiB, so that rounding to bytes makes no other branch be taken. */
  @Test
  void theFormulaIsWhatTheClassComputes() {
    new ForecastFormula(formula, "", Map.of());
    Seeds.run(
        seed -> {
          Random random = new Random(seed);
          for (int run = 0; run < RUNS; run++) {
            compare(random);
          }
          assertThat(seen)
              .contains("None Grow", "None Shrink", "HeadStart Grow", "HeadStart Shrink")
              .contains("MaxStep Grow", "MaxStep Shrink", "DeadBand Hold", "Settling Hold")
              .contains("Pressure Hold", "Min Shrink", "Max Shrink", "Unpersisted Shrink");
        });
  }

  /** Some samples of one node, so that the law remembers something. */
  private void compare(Random random) {
    long totalBytes = (1L << 40) + (long) (random.nextDouble() * (1L << 50));
    LawParameters parameters = parameters(random, totalBytes);
    ForecastLaw law = new ForecastLaw(parameters);
    NodeModel model = new NodeModel();
    long millis = 1_000_000;
    for (int i = 0; i < SAMPLES; i++) {
      millis += 1 + random.nextInt(200);
      LawInput input = input(random, totalBytes, millis);
      NodeModel before = model.clone();
      CapacityDecision decision = law.decide(input, model);
      double next = formula.values(given(input, parameters, before, model, decision)).get("next");
      assertThat((double) decision.desiredBytes())
          .as("%s, %s, %s", input, parameters, decision.reason())
          .isCloseTo(next, within(ROUNDING_BYTES));
      seen.add(decision.limitedBy() + " " + decision.action());
    }
  }

  private static LawParameters parameters(Random random, long totalBytes) {
    long minBytes = random.nextBoolean() ? 0 : part(random, 0.2, totalBytes);
    return new LawParameters(
        0.5 + 0.49 * random.nextDouble(),
        0.1 + 0.9 * random.nextDouble(),
        minBytes,
        minBytes + part(random, 1, totalBytes),
        random.nextBoolean() ? 0 : part(random, 0.3, totalBytes),
        new ForecastParameters(
            random.nextInt(300),
            0.02 * random.nextDouble(),
            random.nextInt(300),
            MemorySize.ofRatio(0.01 + 0.5 * random.nextDouble()),
            MemorySize.ofRatio(random.nextBoolean() ? 0 : 0.1 * random.nextDouble()),
            MemorySize.ofRatio(random.nextBoolean() ? 1 : 0.01 + 0.1 * random.nextDouble()),
            MemorySize.ofRatio(random.nextBoolean() ? 1 : 0.01 + 0.1 * random.nextDouble()),
            0.1));
  }

  private static LawInput input(Random random, long totalBytes, long millis) {
    long capacityBytes = part(random, 0.8, totalBytes);
    long usedBytes = part(random, 0.8, totalBytes);
    boolean answered = random.nextBoolean();
    long othersBytes = sometimes(random, totalBytes);
    long leastBytes = answered ? usedBytes : (long) (usedBytes * random.nextDouble());
    var tier = new Held(usedBytes, leastBytes, usedBytes + sometimes(random, totalBytes));
    var others =
        new Held(
            othersBytes,
            (long) (othersBytes * (answered ? 1 : random.nextDouble())),
            othersBytes + sometimes(random, totalBytes));
    return new LawInput(
        capacityBytes,
        answered ? capacityBytes : part(random, 0.8, totalBytes),
        tier,
        tier.plus(others),
        random.nextInt(4) == 0 ? 50 : 0,
        random.nextInt(4) == 0 ? part(random, 0.1, totalBytes) : 0,
        part(random, 1.05, totalBytes),
        random.nextInt(4) == 0 ? part(random, 0.2, totalBytes) : 0,
        totalBytes,
        random.nextInt(4) == 0 ? random.nextDouble() : Double.NaN,
        millis);
  }

  private static long sometimes(Random random, long totalBytes) {
    return random.nextBoolean() ? 0 : part(random, 0.2, totalBytes);
  }

  private static long part(Random random, double most, long totalBytes) {
    return (long) (most * random.nextDouble() * totalBytes);
  }

  /** What the formula takes; the estimates are as the class tells or remembers them. */
  private Map<String, Double> given(
      LawInput input,
      LawParameters parameters,
      NodeModel before,
      NodeModel after,
      CapacityDecision decision) {
    long totalBytes = input.memoryTotalBytes();
    ForecastParameters own = parameters.forecast();
    Forecast forecast = decision.forecast();
    Map<String, Double> given = new HashMap<>();
    given.put("capacity", (double) input.capacityBytes());
    given.put("desired", (double) input.desiredBytes());
    given.put("used", (double) input.tier().usedBytes());
    given.put("least", (double) input.tier().leastBytes());
    given.put("mostUsed", (double) input.tier().mostBytes());
    given.put("allTiers", (double) input.allTiers().usedBytes());
    given.put("allLeast", (double) input.allTiers().leastBytes());
    given.put("allMost", (double) input.allTiers().mostBytes());
    given.put("memory", (double) input.memoryUsedBytes());
    given.put("hinted", (double) input.hintedBytes());
    given.put("setPoint", parameters.threshold() * totalBytes);
    given.put("band", own.deadBand() * totalBytes);
    given.put("rise", forecast.jobAheadBytes() - after.heldBytes - input.hintedBytes());
    given.put("reserve", (double) forecast.reserveBytes());
    given.put("floor", (double) parameters.floorBytes());
    given.put("max", (double) parameters.maxBytes());
    given.put("headStart", (double) own.headStart().of(totalBytes));
    given.put("known", before.known ? 1.0 : 0.0);
    given.put("heldBefore", before.heldBytes);
    given.put("old", input.tierUsedAgeMillis() > 0 ? 1.0 : 0.0);
    boolean pressed = Math.min(after.pressure, input.pressure()) > own.pressureLimit();
    given.put("pressed", pressed ? 1.0 : 0.0);
    boolean first =
        before.sampledMillis == before.blockedMillis
            && input.sampledMillis() - before.sampledMillis > own.lookAheadMillis()
            && own.settleMillis() > 0;
    boolean settled =
        before.known
            && !first
            && input.sampledMillis() - before.blockedMillis >= own.settleMillis();
    given.put("settled", settled ? 1.0 : 0.0);
    given.put(
        "leastRoom",
        before.known ? before.leastRoomBytes - input.otherTiersBytes(after.heldBytes) : 0.0);
    given.put("noise", before.jobNoise);
    MemorySize maxShrink = own.maxShrink();
    given.put("maxShrink", maxShrink.isAll() ? 1e300 : maxShrink.of(totalBytes));
    given.put("growth", 0.0);
    double mostGrowth = formula.values(given).get("mostGrowth");
    MemorySize maxGrow = own.maxGrow();
    double maxGrowth = maxGrow.isAll() ? 1e300 : maxGrow.of(totalBytes);
    given.put("growth", Math.min(maxGrowth, parameters.gain() * mostGrowth));
    return given;
  }

  private static String solve(String smt) throws IOException, InterruptedException {
    Path z3 = Needs.installed(Path.of("/usr/bin/z3"), "z3");
    Process process =
        new ProcessBuilder(z3.toString(), "-in", "-T:120").redirectErrorStream(true).start();
    try (Writer in = process.outputWriter(StandardCharsets.US_ASCII)) {
      in.write(smt);
    }
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    process.waitFor();
    return answer.strip();
  }
}
