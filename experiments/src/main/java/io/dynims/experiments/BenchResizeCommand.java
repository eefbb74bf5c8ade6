package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.quantity.Quantities;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.BenchTier;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.resize.ResizeBench;
import io.dynims.experiments.bench.resize.ResizeOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "resize",
    description =
        "Measure how fast the adapter frees memory on a real worker, and how that affects readers.")
final class BenchResizeCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Mixin private final BenchTier tier = new BenchTier();
  @Spec private CommandSpec spec;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of measurements. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  @Option(
      names = "--slices",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "8Mi,128Mi",
      description =
          "Slice sizes to measure in addition to adapter.resize.slice. Default: ${DEFAULT-VALUE}.")
  private List<String> slices;

  BenchResizeCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    ResizeOptions options = options();
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), tier.hugePages(), context.err())) {
      Findings findings = new ResizeBench(stack, options, context.err()).run();
      return BenchCommand.report(output, tier.name("resize"), findings, spec, context);
    }
  }

  private ResizeOptions options() {
    if (repetitions < 1) {
      throw new ParameterException(
          spec.commandLine(), "--repetitions: " + repetitions + " is less than 1");
    }
    try {
      return new ResizeOptions(repetitions, slices.stream().map(Quantities::bytes).toList());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--slices: " + e.getMessage(), e);
    }
  }
}
