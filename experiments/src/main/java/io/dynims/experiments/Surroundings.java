package io.dynims.experiments;

import io.dynims.core.config.ConfigException;
import io.dynims.experiments.stack.LocalStack;
import io.dynims.experiments.stack.Machine;
import io.dynims.experiments.stack.StackException;
import io.dynims.experiments.stack.StackHome;
import io.dynims.experiments.stack.StackSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a command runs in.
 *
 * @param project the project's folder
 * @param environment the environment variables
 */
record Surroundings(
    Path project, Map<String, String> environment, PrintStream out, PrintStream err) {

  StackHome home() {
    String given = environment.getOrDefault("DYNIMS_HOME", "");
    Path state = given.isEmpty() ? project.resolve(".dynims") : Path.of(given);
    return new StackHome(project.toAbsolutePath(), state.toAbsolutePath().normalize());
  }

  /** The stack that runs, or the one that would be started. */
  LocalStack stack() throws ConfigException {
    return stack(settings());
  }

  LocalStack stack(StackSettings settings) {
    return new LocalStack(home(), settings, Machine.read(), out);
  }

  /** The settings of the stack that runs, or of the one that would be started. */
  StackSettings settings() throws ConfigException {
    Optional<StackSettings> inForce = StackSettings.inForce(home(), Machine.read());
    return inForce.isPresent() ? inForce.get() : newSettings(List.of());
  }

  /**
   * The settings to start with.
   *
   * @throws StackException when a stack runs and other settings are asked for
   */
  StackSettings settingsToStart(List<String> given) throws ConfigException, StackException {
    StackSettings wanted = newSettings(given);
    Optional<StackSettings> inForce = StackSettings.inForce(home(), Machine.read());
    if (inForce.isEmpty() || !stack(inForce.get()).isUp()) {
      return wanted;
    }
    refuseOthers(wanted, inForce.get());
    return inForce.get();
  }

  private void refuseOthers(StackSettings wanted, StackSettings inForce)
      throws ConfigException, StackException {
    Map<String, String> defaults =
        StackSettings.forNewStack(home(), List.of(), Map.of(), Machine.read()).text();
    List<String> others =
        wanted.text().entrySet().stream()
            .filter(setting -> !setting.getValue().equals(defaults.get(setting.getKey())))
            .filter(setting -> !setting.getValue().equals(inForce.text().get(setting.getKey())))
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .sorted()
            .toList();
    if (!others.isEmpty()) {
      throw new StackException(
          "the stack runs with other settings than "
              + String.join(", ", others)
              + "; end it first with ./dynims down");
    }
  }

  private StackSettings newSettings(List<String> given) throws ConfigException {
    return StackSettings.forNewStack(home(), given, environment, Machine.read());
  }
}
