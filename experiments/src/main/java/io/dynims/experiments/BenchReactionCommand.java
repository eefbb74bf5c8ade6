package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchDuration;
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
        "Measure the time from a sample to the capacity in force, and from a page touched to memory"
            + " freed; then the same for the prototype's design, or with TLS on every hop.")
final class BenchReactionCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Mixin private final BenchDuration duration = new BenchDuration(120, 30);
  @Mixin private final BenchTier tier = new BenchTier();

  @Option(
      names = "--secure",
      description = "Compare with TLS on every hop instead of with the prototype's design.")
  private boolean secure;

  @Spec private CommandSpec spec;

  BenchReactionCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    ReactionOptions options =
        new ReactionOptions(secure, duration.warmUpSeconds(), duration.seconds());
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), tier.hugePages(), context.err())) {
      Findings findings = new ReactionBench(stack, options, context.err()).run();
      String name = secure ? "reaction-secure" : "reaction";
      return BenchCommand.report(output, tier.name(name), findings, spec, context);
    }
  }
}
