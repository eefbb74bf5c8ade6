package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.cli.Dynims;
import java.util.List;
import picocli.CommandLine;

/**
 * The program behind the script {@code dynims} in a source tree: command line, demo, benchmarks.
 */
public final class Experiments {

  private Experiments() {}

  /** Runs a command and exits with its exit code. */
  public static void main(String[] args) {
    System.exit(run(CliContext.ofProcess(), args));
  }

  static int run(CliContext context, String... args) {
    return Dynims.run(
        context,
        List.of(
            new CommandLine(new DemoCommand(context)),
            BenchCommand.line(context),
            ExperimentCommand.line(context)),
        args);
  }
}
