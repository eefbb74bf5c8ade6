package io.dynims.experiments.bench.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThresholdBenchTest {

  private static final Path PROJECT = Path.of("..");
  private static final double ALLOWANCE = ThresholdBench.ALLOWANCE;

  @ParameterizedTest
  @EnumSource
  void findsTheGreatestThresholdThatIsSafe(LawType law) throws Exception {
    Policy policy = PolicyDocument.read(PROJECT.resolve("experiments/traces/paper.yaml"), law);
    List<SuiteTrace> suite = SuiteTrace.suite(1);
    var search = new ThresholdSearch(suite, ALLOWANCE);

    double threshold = search.greatest(policy).getAsDouble();

    assertThat(threshold).isBetween(0.5, 0.98);
    assertThat(suite)
        .allSatisfy(
            trace ->
                assertThat(trace.run(policy, threshold).excessBytes())
                    .as("%s", trace.kind())
                    .isLessThanOrEqualTo(Math.round(ALLOWANCE * trace.inevitableBytes())));
    for (int above = 1; above <= 10; above++) {
      assertThat(search.isSafe(policy, threshold + above / 1e3)).isFalse();
    }
    for (int below = 1; below <= 10; below++) {
      assertThat(search.isSafe(policy, threshold - below / 1e3)).isTrue();
    }
  }

  @Test
  void reportsTheSameForEveryRun() throws Exception {
    Findings first = new ThresholdBench(PROJECT, 1, line -> {}).run();
    Findings second = new ThresholdBench(PROJECT, 1, line -> {}).run();

    assertThat(first.json()).isEqualTo(second.json());
    var results = (ThresholdFindings.Results) first.json();
    assertThat(results.laws()).extracting(SafeThreshold::law).containsExactly(LawType.values());
    assertThat(results.laws())
        .allSatisfy(law -> assertThat(law.strictThreshold()).isLessThan(law.threshold()));
    assertThat(results.kinds()).hasSameSizeAs(SyntheticTrace.values());
    assertThat(first.tables().get(1).head())
        .startsWith("traces", "number", "inevitable")
        .hasSize(3 + LawType.values().length);
  }

  @Test
  void namesTheLawThatHoldsMoreAtEqualSafety() {
    List<SafeThreshold> found =
        List.of(safe(LawType.Feedback, 40L << 30), safe(LawType.Forecast, 50L << 30));

    assertThat(ThresholdFindings.headline(found))
        .isEqualTo("at equal safety Forecast gives 10.0 GiB (25.0 %) more cache than Feedback");
    assertThat(ThresholdFindings.headline(found.subList(0, 1))).startsWith("only one law");
  }

  private static SafeThreshold safe(LawType law, long meanTierBytes) {
    Map<SyntheticTrace, Long> none = new EnumMap<>(SyntheticTrace.class);
    return new SafeThreshold(law, 0.9, meanTierBytes, 0.5, meanTierBytes / 2, none);
  }
}
