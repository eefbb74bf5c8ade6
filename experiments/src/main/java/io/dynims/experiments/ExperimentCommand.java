package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.runtime.config.Program;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dynims experiment}: what research papers measured, on the real system. */
@Command(
    name = "experiment",
    description = "Reproduce the figures of research papers.",
    synopsisSubcommandLabel = "EXPERIMENT")
final class ExperimentCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  /** The command with its experiments. */
  static CommandLine line(CliContext context) {
    CommandLine line = new CommandLine(new ExperimentCommand());
    line.addSubcommand(new PaperCommand(context));
    return line;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return Program.EXIT_USAGE;
  }
}
