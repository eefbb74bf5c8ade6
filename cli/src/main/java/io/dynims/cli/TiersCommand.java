package io.dynims.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dynims tiers}: runs the kubectl plugin against the local stack. */
@Command(name = "tiers", description = "Show what every tier is doing.")
final class TiersCommand implements Callable<Integer> {

  enum Format {
    table,
    wide,
    json,
    yaml
  }

  private final CliContext context;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Option(
      names = {"-w", "--watch"},
      description = "Repeat every 2 seconds.")
  private boolean watch;

  TiersCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("tiers"));
    if (format != Format.table) {
      arguments.add("--output=" + format);
    }
    if (watch) {
      arguments.add("--watch");
    }
    return new KubectlPlugin(context).run(arguments);
  }
}
