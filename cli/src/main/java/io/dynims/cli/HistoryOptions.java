package io.dynims.cli;

import io.dynims.cli.simulate.HistoryClient;
import io.dynims.cli.simulate.InputException;
import io.dynims.cli.stack.StackException;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.Target;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which part of a node's history to ask for, and whom. */
final class HistoryOptions {

  @Option(
      names = "--last",
      paramLabel = "TIME|N",
      defaultValue = "1h",
      description =
          "The last 1h at most, or so many decisions. Older than about five minutes, the controller"
              + " keeps two decisions per half minute. Default: ${DEFAULT-VALUE}.")
  private String last;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Which tier, if the node has several.")
  private String tier;

  @Mixin private final ControllerArguments controller = new ControllerArguments();

  /**
   * The decisions for the node's tier, newest first.
   *
   * @throws InputException if the controller knows no such node, tier or span
   * @throws StackException if it cannot be reached or does not answer properly
   */
  List<Target> decisions(String node, CliContext context)
      throws ConfigException, IOException, InputException, StackException, InterruptedException {
    return new HistoryClient(controller.client(context)).decisions(node, tier, last);
  }

  /** The time asked for, which the controller has accepted; 0 if it was a number. */
  long askedMillis() {
    return last.matches("[0-9]+") ? 0 : Quantities.millis(last);
  }
}
