package io.dynims.cli;

import io.dynims.cli.stack.Probes;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackSettings;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The kubectl plugin, pointed at the controller of the local stack. */
final class KubectlPlugin {

  private final CliContext context;

  KubectlPlugin(CliContext context) {
    this.context = context;
  }

  /**
   * Runs a command of the plugin and returns its exit code.
   *
   * @throws StackException if the controller does not listen
   */
  int run(List<String> arguments)
      throws ConfigException, StackException, IOException, InterruptedException {
    StackSettings settings = context.settings();
    if (!Probes.accepts(settings.port("controller.port"))) {
      throw new StackException(
          "the controller does not answer at "
              + settings.controllerUrl()
              + "; start it with ./dynims up, or see ./dynims logs controller");
    }
    Path script = context.home().project().resolve("kubectl-dynims/kubectl-dynims");
    List<String> command = new ArrayList<>(List.of("python3", script.toString()));
    command.addAll(arguments);
    command.add("--server=" + settings.controllerUrl());
    return show(new ProcessBuilder(command));
  }

  /** The plugin inherits a terminal, if there is one, to fit its width and to use colours. */
  private int show(ProcessBuilder builder)
      throws StackException, IOException, InterruptedException {
    builder.inheritIO();
    boolean inherits = context.out() == System.out;
    if (!inherits) {
      builder.redirectOutput(ProcessBuilder.Redirect.PIPE);
    }
    Process process = start(builder);
    if (!inherits) {
      process.getInputStream().transferTo(context.out());
      context.out().flush();
    }
    return process.waitFor();
  }

  private static Process start(ProcessBuilder builder) throws StackException {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new StackException("Python 3.9 or later is needed: " + e.getMessage(), e);
    }
  }
}
