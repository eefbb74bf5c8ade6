package io.dynims.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "down",
    description = "Stop every part and remove the tier; logs, data and policies are kept.")
final class DownCommand implements Callable<Integer> {

  private final CliContext context;

  DownCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    context.stack().down();
    context.out().println("The stack is stopped.");
    return 0;
  }
}
