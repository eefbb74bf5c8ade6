package io.dynims.experiments;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "down",
    description = "End every part and remove the tier; logs, data and policies stay.")
final class DownCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  DownCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws Exception {
    surroundings.stack().down();
    surroundings.out().println("Nothing of the stack runs.");
    return 0;
  }
}
