package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.config.Program;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dynims bench}: the benchmarks, each a command of its own. */
@Command(
    name = "bench",
    description =
        "Measure: how fast it reacts, how fast the tier shrinks, how many nodes it serves, what it"
            + " takes from each.",
    synopsisSubcommandLabel = "BENCHMARK",
    footer = {
      "",
      "Each but law runs a stack of its own on free ports and ends it. Progress goes to standard error.",
      "A goal that is missed is told and is no failure: the machine is measured as well."
    })
final class BenchCommand implements Callable<Integer> {

  /** How long a benchmark may be told to take. */
  static final int MAX_SECONDS = 3_600;

  @Spec private CommandSpec spec;

  /** The group with its benchmarks. */
  static CommandLine line(CliContext context) {
    CommandLine line = new CommandLine(new BenchCommand());
    line.addSubcommand(new BenchReactionCommand(context));
    line.addSubcommand(new BenchResizeCommand(context));
    line.addSubcommand(new BenchFleetCommand(context));
    line.addSubcommand(new BenchNodeCommand(context));
    line.addSubcommand(new BenchLawCommand(context));
    return line;
  }

  /**
   * Checks the value of a benchmark's option.
   *
   * @throws ParameterException when it is out of bounds
   */
  static void check(CommandSpec spec, String option, int value, int least, int greatest) {
    if (value < least || value > greatest) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + value + " is not from " + least + " to " + greatest);
    }
  }

  /** Tells what a benchmark found, with the command line that asked for it. */
  static void tell(
      BenchOutput output, String name, Findings findings, CommandSpec spec, CliContext context)
      throws IOException {
    output.tell(
        name,
        findings,
        spec.root().commandLine().getParseResult().originalArgs(),
        context.home().project(),
        context.out(),
        context.err());
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Program.EXIT_USAGE;
  }
}
