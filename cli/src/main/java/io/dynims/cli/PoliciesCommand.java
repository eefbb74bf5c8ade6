package io.dynims.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dynims policies}: runs the kubectl plugin against the local stack. */
@Command(
    name = "policies",
    description = "List the policies in effect, and why documents are refused.")
final class PoliciesCommand implements Callable<Integer> {

  private final CliContext context;

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private TiersCommand.Format format;

  PoliciesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("policies"));
    if (format != TiersCommand.Format.table) {
      arguments.add("--output=" + format);
    }
    return new KubectlPlugin(context).run(arguments);
  }
}
