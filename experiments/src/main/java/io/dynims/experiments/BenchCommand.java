package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.runtime.config.Program;
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
        "Measure reaction time, resize rate, laws, fleet size, the cost per node, what hostile"
            + " clients do, and a tier by each interface; choose a threshold.",
    synopsisSubcommandLabel = "BENCHMARK",
    footer = {
      "",
      "All except law and threshold start a stack of their own on free ports and stop it. Progress goes to standard error.",
      "The exit code is 1 if a goal that must hold does not, such as one wrong byte; --save then leaves the saved page alone.",
      "A missed goal of speed or cost is only reported, because it depends on the machine."
    })
final class BenchCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  /** The command with its benchmarks. */
  static CommandLine line(CliContext context) {
    CommandLine line = new CommandLine(new BenchCommand());
    line.addSubcommand(new BenchReactionCommand(context));
    line.addSubcommand(new BenchResizeCommand(context));
    line.addSubcommand(new BenchControlCommand(context));
    line.addSubcommand(new BenchFleetCommand(context));
    line.addSubcommand(new BenchNodeCommand(context));
    line.addSubcommand(new BenchHostileCommand(context));
    line.addSubcommand(new BenchLawCommand(context));
    line.addSubcommand(new BenchThresholdCommand(context));
    line.addSubcommand(new BenchMpiIoCommand(context));
    line.addSubcommand(new BenchTierCommand(context));
    line.addSubcommand(new BenchAgesCommand(context));
    // Of all subcommands so far.
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  /**
   * Checks the value of a benchmark's option.
   *
   * @throws ParameterException if it is out of bounds
   */
  static void check(CommandSpec spec, String option, int value, int least, int greatest) {
    if (value < least || value > greatest) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + value + " is not from " + least + " to " + greatest);
    }
  }

  /**
   * Reports the findings of a benchmark, with the command line of this run.
   *
   * @return the exit code: 1 if a goal that must hold does not, after saying which on standard
   *     error
   */
  static int report(
      BenchOutput output, String name, Findings findings, CommandSpec spec, CliContext context)
      throws IOException {
    output.report(
        name,
        findings,
        "./dynims " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs()),
        context.out(),
        context.err());
    for (Goal goal : findings.broken()) {
      context
          .err()
          .printf(
              "dynims: %s: must hold and does not: %s: %s, not %s%n",
              name, goal.figure(), goal.measured(), goal.goal());
    }
    return findings.broken().isEmpty() ? 0 : Program.EXIT_FAILED;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Program.EXIT_USAGE;
  }
}
