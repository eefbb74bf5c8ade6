package io.dynims.experiments.paper;

import io.dynims.cli.CliContext;
import io.dynims.cli.simulate.HistoryClient;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.simulation.TraceRecording;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs the HPC Challenge itself, alone on a node with a small tier, and records its memory. */
public final class HpccRecording {

  private static final String NAME = "dynims-hpcc";
  private static final String NODE = "hpcc-1";

  /** More than the run takes, at ten decisions per second. */
  private static final String KEPT_DECISIONS = "30000";

  private final CliContext context;
  private final int size;

  /**
   * A run to come.
   *
   * @param size N of HPCC's input, whose matrix has 8 N² bytes
   */
  public HpccRecording(CliContext context, int size) {
    this.context = context;
    this.size = size;
  }

  /** Runs HPCC and writes its trace. */
  public void record(Path file) throws Exception {
    Path folder = Files.createDirectories(context.home().state().resolve("paper/hpcc"));
    // Room for more than HPCC takes: it is to be recorded, not to be pressed.
    try (MemoryGroup node = new MemoryGroup(NAME, 4L * 8 * size * size);
        BenchStack stack =
            new BenchStack(context.home(), context.environment(), false, context.err())) {
      stack.up(
          List.of(
              "node.name=" + NODE,
              "node.cgroup=" + node.node().folder(),
              "tier.max=64Mi",
              "policy.mode=Enforce",
              "controller.options=--history.per.tier=" + KEPT_DECISIONS));
      context.err().printf("HPCC with N=%d …%n", size);
      Path script = context.home().project().resolve("experiments/hpcc/run-hpcc");
      try (NodeLoad.Running hpcc = new HpccRun(script, folder, size, 0).start(node)) {
        context.err().printf("HPCC took %d s%n", PaperRunner.await(hpcc) / 1_000);
      }
      TraceRecording recording =
          new TraceRecording(
              new HistoryClient(stack.settings().controllerUrl())
                  .decisions(NODE, null, KEPT_DECISIONS));
      try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
        recording.print(out);
      }
    }
  }
}
