package io.dynims.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dynims explain}: runs the kubectl plugin against the local stack. */
@Command(
    name = "explain",
    description =
        "Explain the last decision for a node's tier: inputs, error, step, what limited it.")
final class ExplainCommand implements Callable<Integer> {

  private final CliContext context;

  @Parameters(paramLabel = "NODE", description = "The node's name.")
  private String node;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Which tier, if the node has several.")
  private String tier;

  @Option(
      names = "--last",
      paramLabel = "N|TIME",
      description = "List recent decisions instead: the last N, or those of a time such as 5m.")
  private String last;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "json or yaml; text if omitted.")
  private String format;

  ExplainCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("explain", node));
    if (tier != null) {
      arguments.add("--tier=" + tier);
    }
    if (last != null) {
      arguments.add("--last=" + last);
    }
    if (format != null) {
      arguments.add("--output=" + format);
    }
    return new KubectlPlugin(context).run(arguments);
  }
}
