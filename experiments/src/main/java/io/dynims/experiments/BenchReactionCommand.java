package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.BenchTier;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.reaction.ReactionBench;
import io.dynims.experiments.bench.reaction.ReactionOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "reaction",
    description =
        "Measure how long it takes from a sample to the capacity in force, and from a page touched"
            + " to memory freed, beside the prototype's design in the same stack.")
final class BenchReactionCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Mixin private final BenchTier tier = new BenchTier();
  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "120",
      description = "How long each design is measured: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "30",
      description = "How many seconds each design runs under the load before: ${DEFAULT-VALUE}.")
  private int warmSeconds;

  BenchReactionCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    BenchCommand.check(spec, "--seconds", seconds, 1, BenchCommand.MAX_SECONDS);
    BenchCommand.check(spec, "--warm-up", warmSeconds, 0, BenchCommand.MAX_SECONDS);
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), tier.hugePages(), context.err())) {
      Findings findings =
          new ReactionBench(stack, new ReactionOptions(warmSeconds, seconds), context.err()).run();
      BenchCommand.tell(output, tier.name("reaction"), findings, spec, context);
    }
    return 0;
  }
}
