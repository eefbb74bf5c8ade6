package io.dynims.experiments;

import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.resize.ResizeBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "resize",
    description =
        "Measure how fast the adapter frees memory, and what readers notice of it, on a real worker.")
final class BenchResizeCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Spec private CommandSpec spec;

  BenchResizeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    try (BenchStack stack =
        new BenchStack(surroundings.home(), surroundings.environment(), surroundings.err())) {
      Findings findings = new ResizeBench(stack, surroundings.err()).run();
      output.tell(
          "resize",
          findings,
          spec.root().commandLine().getParseResult().originalArgs(),
          surroundings.home().project(),
          surroundings.out(),
          surroundings.err());
    }
    return 0;
  }
}
