package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.law.LawBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "law",
    description =
        "Measure what a decision and a message cost, in nanoseconds and allocated bytes, by JMH.")
final class BenchLawCommand implements Callable<Integer> {

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Spec private CommandSpec spec;

  BenchLawCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    return BenchCommand.report(
        output, "law", new LawBench(context.home().project()).run(), spec, context);
  }
}
