package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.simulate.SyntheticTrace;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "trace",
    description =
        "Print a synthetic trace of a node's memory as CSV, for ./dynims simulate; or record one.")
final class TraceCommand implements Callable<Integer> {

  private final CliContext context;

  @Spec private CommandSpec spec;

  // Not required by picocli, which would require it of the subcommand as well.
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
  private SyntheticTrace trace;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of its random parts. Default: ${DEFAULT-VALUE}.")
  private long seed;

  TraceCommand(CliContext context) {
    this.context = context;
  }

  /** The command with its subcommand. */
  static CommandLine line(CliContext context) {
    CommandLine line = new CommandLine(new TraceCommand(context));
    line.addSubcommand(new RecordTraceCommand(context));
    return line;
  }

  @Override
  public Integer call() {
    if (trace == null) {
      throw new ParameterException(
          spec.commandLine(), "Missing required parameter: NAME, or the command record");
    }
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
    trace.print(seed, out);
    out.flush();
    return 0;
  }
}
