package io.dynims.cli;

import static java.util.stream.Collectors.toSet;

import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.Machine;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.runtime.config.ConfigException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where a command runs and writes.
 *
 * @param project the project's folder
 * @param environment the environment variables
 * @param out standard output: results
 * @param err standard error: progress and errors
 */
public record CliContext(
    Path project, Map<String, String> environment, PrintStream out, PrintStream err) {

  /** The context of this process. */
  public static CliContext ofProcess() {
    Path project = Path.of(System.getProperty("dynims.project", "."));
    return new CliContext(project, System.getenv(), System.out, System.err);
  }

  /** The folder of the local stack's state. */
  public StackHome home() {
    String given = environment.getOrDefault("DYNIMS_HOME", "");
    Path state = given.isEmpty() ? project.resolve(".dynims") : Path.of(given);
    return new StackHome(project.toAbsolutePath(), state.toAbsolutePath().normalize());
  }

  /** The running stack or, if none is running, the one that would be started. */
  public LocalStack stack() throws ConfigException {
    return stack(settings());
  }

  /** The stack with these settings. */
  public LocalStack stack(StackSettings settings) {
    return new LocalStack(home(), settings, Machine.read(), out);
  }

  /** The settings of the running stack or, if none is running, those of a new one. */
  public StackSettings settings() throws ConfigException {
    Optional<StackSettings> inForce = StackSettings.inForce(home(), Machine.read());
    return inForce.isPresent() ? inForce.get() : newSettings(List.of());
  }

  /**
   * The settings to start with.
   *
   * @param given {@code KEY=VALUE} from the command line
   * @param store the store, if the command line names one
   * @throws StackException if a stack with other settings is running
   */
  public StackSettings settingsToStart(List<String> given, Optional<String> store)
      throws ConfigException, StackException {
    List<String> all = new ArrayList<>(given);
    store.ifPresent(name -> all.add("store=" + name));
    StackSettings requested = newSettings(all);
    Optional<StackSettings> inForce = StackSettings.inForce(home(), Machine.read());
    if (inForce.isEmpty() || !stack(inForce.get()).isUp()) {
      return requested;
    }
    Set<String> named =
        all.stream().map(setting -> setting.substring(0, setting.indexOf('='))).collect(toSet());
    rejectChanges(requested, named, inForce.get());
    return inForce.get();
  }

  /** What is a default stays as it is in force, unless the command line names it. */
  private void rejectChanges(StackSettings requested, Set<String> named, StackSettings inForce)
      throws ConfigException, StackException {
    Map<String, String> defaults =
        StackSettings.forNewStack(home(), List.of(), Map.of(), Machine.read()).text();
    List<String> others =
        requested.text().entrySet().stream()
            .filter(
                setting ->
                    named.contains(setting.getKey())
                        || !setting.getValue().equals(defaults.get(setting.getKey())))
            .filter(setting -> !setting.getValue().equals(inForce.text().get(setting.getKey())))
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .sorted()
            .toList();
    if (!others.isEmpty()) {
      throw new StackException(
          "a stack is running with settings other than "
              + String.join(", ", others)
              + "; stop it first with ./dynims down");
    }
  }

  private StackSettings newSettings(List<String> given) throws ConfigException {
    return StackSettings.forNewStack(home(), given, environment, Machine.read());
  }
}
