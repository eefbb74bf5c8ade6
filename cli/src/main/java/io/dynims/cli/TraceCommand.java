package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.simulate.SyntheticTrace;
import java.io.BufferedWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "trace",
    description = "Print a synthetic trace of a node's memory as CSV, for ./dynims simulate.")
final class TraceCommand implements Callable<Integer> {

  private final CliContext context;

  @Parameters(paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
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

  @Override
  public Integer call() {
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
    trace.print(seed, out);
    out.flush();
    return 0;
  }
}
