package io.dynims.experiments;

import io.dynims.experiments.stack.LocalStack;
import io.dynims.experiments.stack.StackException;
import io.dynims.experiments.stack.StackSettings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description =
        "Start everything, let a burst of memory come and go, and show what the tier does.")
final class DemoCommand implements Callable<Integer> {

  /** What the demo does on a stack that is up; returns the exit code. */
  interface Run {
    int run(Surroundings surroundings, StackSettings settings) throws Exception;
  }

  private final Surroundings surroundings;
  private final Run run;

  @Option(names = "--down", description = "End everything afterwards.")
  private boolean down;

  DemoCommand(Surroundings surroundings) {
    this(surroundings, DemoCommand::notThere);
  }

  DemoCommand(Surroundings surroundings, Run run) {
    this.surroundings = surroundings;
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    StackSettings settings = surroundings.settingsToStart(List.of());
    LocalStack stack = surroundings.stack(settings);
    stack.up(List.of());
    try {
      return run.run(surroundings, settings);
    } finally {
      if (down) {
        stack.down();
      }
    }
  }

  private static int notThere(Surroundings surroundings, StackSettings settings)
      throws StackException {
    throw new StackException("this build has no demo");
  }
}
