package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shipped traces under the paper's policy give the capacities that they gave before the loop
 * moved into core. Each golden file holds one capacity in bytes a tick.
 */
class GoldenCapacitiesTest {

  private static final Path TRACES = Path.of("../experiments/traces");

  @ParameterizedTest
  @ValueSource(strings = {"hpcc", "noisy", "ramp", "sawtooth", "step"})
  void aTierThatMovesAtOnceGetsTheSameCapacities(String trace) throws Exception {
    assertThat(capacities(trace, Rates.UNLIMITED, 0)).isEqualTo(golden(trace));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hpcc", "noisy", "ramp", "sawtooth", "step"})
  void aTierWithRatesAndATickOfDelayGetsTheSameCapacities(String trace) throws Exception {
    Rates rates = new Rates(Rates.parse("10GiB/s"), Rates.parse("2GiB/s"));

    assertThat(capacities(trace, rates, 1)).isEqualTo(golden(trace + "-slow"));
  }

  private static List<Long> capacities(String trace, Rates rates, int delayTicks) throws Exception {
    List<Long> capacities = new ArrayList<>();
    Policy policy = PolicyDocument.read(TRACES.resolve("paper.yaml"));
    try (TraceReader rows = TraceReader.open(TRACES.resolve(trace + ".csv"))) {
      rows.run(
          Runs.simulation(policy, rates, delayTicks, null),
          tick -> capacities.add(tick.capacityBytes()));
    }
    return capacities;
  }

  private static List<Long> golden(String name) throws Exception {
    String file = "golden/" + name + ".txt";
    try (InputStream in = GoldenCapacitiesTest.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), UTF_8).lines().map(Long::valueOf).toList();
    }
  }
}
