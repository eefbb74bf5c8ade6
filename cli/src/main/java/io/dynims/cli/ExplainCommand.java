package io.dynims.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dynims explain}: the kubectl plugin, asked about the stack that runs here. */
@Command(
    name = "explain",
    description = "Show the last decision for a node's tier: inputs, error, step, what limited it.")
final class ExplainCommand implements Callable<Integer> {

  private final CliContext context;

  @Parameters(paramLabel = "NODE", description = "The node's name.")
  private String node;

  @Option(names = "--tier", paramLabel = "NAME", description = "Which one of several.")
  private String tier;

  @Option(
      names = "--last",
      paramLabel = "N|TIME",
      description = "List its newest decisions instead: how many, or of which time, such as 5m.")
  private String last;

  @Option(names = "-o", paramLabel = "json", description = "json; for people if not given.")
  private String format;

  ExplainCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    Path plugin = context.home().project().resolve("kubectl-dynims/kubectl-dynims");
    List<String> command =
        new ArrayList<>(List.of("python3", plugin.toString(), "explain", node, "--server"));
    command.add(context.settings().controllerUrl());
    if (tier != null) {
      command.addAll(List.of("--tier", tier));
    }
    if (last != null) {
      command.addAll(List.of("--last", last));
    }
    if (format != null) {
      command.addAll(List.of("-o", format));
    }
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
