package io.dynims.core.law;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;

/** What holds for any node, after any samples: lost, late, repeated, or from a clock set back. */
class ForecastLawPropertiesTest {

  private static final long TIB_64 = 64L << 40;

  @Property
  void everyDecisionIsSafe(
      @ForAll("parameters") LawParameters parameters, @ForAll("samples") List<LawInput> samples) {
    ForecastLaw law = new ForecastLaw(parameters);
    NodeModel model = new NodeModel();
    for (LawInput input : samples) {
      CapacityDecision decision = law.decide(input, model);

      assertThat(decision.desiredBytes()).isBetween(parameters.minBytes(), parameters.maxBytes());
      assertThat(decision.stepBytes()).isFinite();
      assertThat(List.of(model.jobBytes, model.jobNoise, model.shortfallBytes, model.overheadBytes))
          .allSatisfy(value -> assertThat(value).isFinite());
      double jobBytes = (double) Math.max(0, input.memoryUsedBytes() - input.tier().usedBytes());
      double setPoint = parameters.threshold() * input.memoryTotalBytes();
      double band = parameters.forecast().deadBand() * input.memoryTotalBytes();
      long heldBytes = Math.max(parameters.minBytes(), input.tier().leastBytes());
      if (decision.action() == Action.Grow && decision.desiredBytes() > heldBytes) {
        assertThat(input.memoryUsedBytes()).isLessThan((long) Math.ceil(setPoint));
      }
      if (decision.desiredBytes() > parameters.minBytes()) {
        assertThat(decision.desiredBytes() + jobBytes)
            .isLessThanOrEqualTo((setPoint + band) * (1 + 1e-12) + 1);
      }
    }
  }

  @Property
  void moreForTheJobsIsNeverMoreForTheTier(
      @ForAll("parameters") LawParameters parameters,
      @ForAll("samples") List<LawInput> samples,
      @ForAll @LongRange(min = 0, max = TIB_64) long moreBytes) {
    ForecastLaw law = new ForecastLaw(parameters);
    NodeModel model = new NodeModel();
    for (LawInput input : samples) {
      NodeModel before = model.clone();
      CapacityDecision decision = law.decide(input, model);
      LawInput more =
          new LawInput(
              input.capacityBytes(),
              input.desiredBytes(),
              input.tier(),
              input.allTiers(),
              input.tierUsedAgeMillis(),
              input.unevictableBytes(),
              input.memoryUsedBytes() + moreBytes,
              input.hintedBytes(),
              input.memoryTotalBytes(),
              input.pressure(),
              input.sampledMillis());

      CapacityDecision decisionWithMore = law.decide(more, before);
      assertThat(decisionWithMore.desiredBytes()).isLessThanOrEqualTo(decision.desiredBytes());
    }
  }

  @Property
  void aSampleSeenTwiceTakesNothingMore(
      @ForAll("parameters") LawParameters parameters, @ForAll("samples") List<LawInput> samples) {
    ForecastLaw law = new ForecastLaw(parameters);
    NodeModel model = new NodeModel();
    for (LawInput input : samples) {
      CapacityDecision once = law.decide(input, model);
      CapacityDecision twice = law.decide(input, model);

      assertThat(twice.desiredBytes())
          .isGreaterThanOrEqualTo(Math.min(once.desiredBytes(), input.capacityBytes()));
    }
  }

  @Provide
  Arbitrary<LawParameters> parameters() {
    Arbitrary<Long> bytes = Arbitraries.longs().between(0, TIB_64);
    Arbitrary<ForecastParameters> own =
        Combinators.combine(
                Arbitraries.longs().between(0, 60_000),
                Arbitraries.doubles().between(0, 0.1).ofScale(6),
                Arbitraries.longs().between(0, 2_000),
                Arbitraries.doubles().between(0.001, 1).ofScale(4))
            .as(
                (ahead, band, settle, part) ->
                    new ForecastParameters(
                        ahead,
                        band,
                        settle,
                        MemorySize.ofRatio(part),
                        MemorySize.ofRatio(0),
                        MemorySize.ofRatio(part),
                        MemorySize.ofRatio(1),
                        part));
    return Combinators.combine(
            Arbitraries.doubles().between(0, false, 1, false).ofScale(6),
            Arbitraries.doubles().between(0, false, 1, true).ofScale(6),
            bytes,
            bytes,
            own)
        .as((r0, g, a, b, f) -> new LawParameters(r0, g, Math.min(a, b), Math.max(a, b), f));
  }

  /** Mostly of ordinary nodes, some of impossible ones. */
  @Provide
  Arbitrary<List<LawInput>> samples() {
    Arbitrary<Long> any = Arbitraries.longs().between(0, TIB_64);
    Arbitrary<Double> part = Arbitraries.doubles().between(0, 1.1).ofScale(5);
    Arbitrary<Long> millis =
        Arbitraries.frequencyOf(
            Tuple.of(5, Arbitraries.longs().between(0, 5_000)),
            Tuple.of(1, Arbitraries.longs().between(0, 1L << 45)));
    Arbitrary<LawInput> ordinary =
        Combinators.combine(any, part, part, part, millis)
            .as(
                (total, capacity, used, memory, at) ->
                    new LawInput(
                        (long) (total * capacity),
                        (long) (total * capacity * Math.min(1, used)),
                        (long) (total * memory),
                        total,
                        at));
    Arbitrary<LawInput> odd =
        Combinators.combine(any, any, any, any, any, any, part, millis)
            .as(
                (u, asked, used, v, total, lost, least, at) -> {
                  long leastBytes = (long) (used * Math.min(1, least));
                  return new LawInput(
                      u,
                      asked,
                      new Held(used, leastBytes, used),
                      new Held(used, leastBytes, used),
                      0,
                      lost,
                      v,
                      0,
                      total,
                      0.5,
                      at);
                });
    Arbitrary<LawInput> unanswered =
        Combinators.combine(any, part, part, part, millis)
            .as(
                (total, capacity, asked, memory, at) -> {
                  long usedBytes = (long) (total * capacity);
                  long askedBytes = (long) (usedBytes * Math.min(1, asked));
                  return new LawInput(
                      usedBytes,
                      askedBytes,
                      new Held(usedBytes, askedBytes, usedBytes),
                      new Held(usedBytes, askedBytes, usedBytes),
                      0,
                      0,
                      (long) (total * memory),
                      0,
                      total,
                      Double.NaN,
                      at);
                });
    return Arbitraries.frequencyOf(Tuple.of(3, ordinary), Tuple.of(2, unanswered), Tuple.of(1, odd))
        .list()
        .ofMinSize(1)
        .ofMaxSize(30);
  }
}
