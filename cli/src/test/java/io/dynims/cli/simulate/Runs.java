package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.Policy;
import io.dynims.simulation.Rates;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.Tick;
import io.dynims.simulation.TraceRow;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Simulations of short traces. */
final class Runs {

  static final long GB = 1_000_000_000L;
  static final long TOTAL_BYTES = 125 * GB;

  private Runs() {}

  /** A policy with these fields of capacity and law, as YAML flow mappings. */
  static Policy policy(Path folder, String capacity, String law) throws Exception {
    Path file = folder.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        apiVersion: dynims.io/v1alpha1
        kind: MemoryTier
        metadata: {name: alluxio}
        spec:
          nodes: {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]}
          capacity: %s
          law: %s
        """
            .formatted(capacity, law));
    return PolicyDocument.read(file);
  }

  /** A simulation whose acks come at once and whose gate pushes every change. */
  static Simulation simulation(Policy policy, Rates rates, int delayTicks, Long startBytes) {
    return simulation(
        policy,
        SimulationOptions.Tier.of(rates).startingAt(startBytes),
        SimulationOptions.Link.delayed(delayTicks, 0));
  }

  /** A simulation whose gate pushes every change. */
  static Simulation simulation(
      Policy policy, SimulationOptions.Tier tier, SimulationOptions.Link link) {
    return new Simulation(policy, new SimulationOptions(tier, link, 0, 0));
  }

  static TraceReader trace(String text) {
    return new TraceReader(new ByteArrayInputStream(text.getBytes(UTF_8)), "trace.csv");
  }

  /** One row each 100 ms. */
  static TraceReader jobs(long totalBytes, long... jobBytes) {
    StringBuilder text = new StringBuilder(TraceRow.HEADER).append('\n');
    for (int i = 0; i < jobBytes.length; i++) {
      text.append(new TraceRow(i * 100L, jobBytes[i], totalBytes).toCsv()).append('\n');
    }
    return trace(text.toString());
  }

  static List<Tick> run(Simulation simulation, TraceReader trace) throws Exception {
    List<Tick> ticks = new ArrayList<>();
    trace.run(simulation, ticks::add);
    return ticks;
  }

  /** The same load in every row. */
  static long[] constant(int rows, long bytes) {
    long[] jobs = new long[rows];
    Arrays.fill(jobs, bytes);
    return jobs;
  }
}
