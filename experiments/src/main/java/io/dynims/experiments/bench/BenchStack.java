package io.dynims.experiments.bench;

import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.Machine;
import io.dynims.cli.stack.StackClients;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.local.FreePorts;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A separate local stack for a benchmark, on free ports and in the folder {@code bench} of the
 * user's stack. It is stopped when the benchmark ends, in whatever way; only its logs are kept.
 */
public final class BenchStack implements AutoCloseable {

  private static final long STOP_ATTEMPTS = 100;
  private static final long STOP_POLL_MILLIS = 200;

  private final StackHome home;
  private final Map<String, String> environment;
  private final PrintStream progress;
  private final List<String> own;
  private final TierMount mount;
  private final BenchLock lock;
  private final Thread atExit = new Thread(this::stopAtExit, "bench-stop");
  private List<String> given;
  private volatile boolean closing;

  /**
   * Picks the ports and starts nothing. Stops what is left of an earlier benchmark that was killed.
   *
   * @param user the home of the user's stack
   * @param environment the environment variables, which may have settings of the stack
   * @param hugePages whether to mount a tmpfs with huge pages for the tier
   * @param progress where to print progress
   */
  public BenchStack(
      StackHome user, Map<String, String> environment, boolean hugePages, PrintStream progress)
      throws ConfigException, StackException, IOException {
    this.home = new StackHome(user.project(), user.state().resolve("bench"));
    this.environment = environment;
    this.progress = progress;
    this.given = List.of();
    this.lock = BenchLock.acquire(user.state());
    Optional<StackSettings> leftBehind = StackSettings.inForce(home, Machine.read());
    if (leftBehind.isPresent()) {
      new LocalStack(home, leftBehind.get(), Machine.read(), progress).down();
    }
    Folders.remove(
        home.policies()); // Otherwise an earlier benchmark's policy would count as the user's own.
    this.own = new ArrayList<>(List.of("store=alluxio")); // Whatever store the user prefers.
    FreePorts.forKeys(settings().ports().keySet())
        .forEach((key, port) -> own.add(key + "=" + port));
    this.mount = new TierMount(home.state().resolve("tmpfs"));
    if (hugePages) {
      mount.mount();
      own.add("tier.parent=" + mount.folder());
    } else {
      mount.unmount();
    }
    this.given = List.copyOf(own);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  public StackHome home() {
    return home;
  }

  /** The settings of the stack. */
  public StackSettings settings() throws ConfigException {
    return StackSettings.forNewStack(home, given, environment, Machine.read());
  }

  /** How to reach its parts. */
  public StackClients clients() throws ConfigException {
    return new StackClients(home, settings());
  }

  /**
   * Starts parts and their dependencies; running parts stay as they are.
   *
   * @param more settings, {@code KEY=VALUE}, for the parts that start now; they replace earlier
   *     ones
   * @param parts the names of the parts; none means all
   */
  public void up(List<String> more, String... parts)
      throws ConfigException, StackException, IOException {
    if (closing) {
      throw new StackException("the benchmark is ending");
    }
    given = new ArrayList<>(own);
    given.addAll(more);
    stack().up(List.of(parts));
  }

  /** Stops a part and its dependents; the others keep running. */
  public void down(String part) throws ConfigException, StackException, IOException {
    stack().down(List.of(part));
  }

  /** Stops everything and removes its files, except logs, so that another store can be started. */
  public void reset() throws ConfigException, StackException, IOException {
    stack().down();
    Folders.remove(home.state().resolve("data"));
    Folders.remove(home.state().resolve("ufs"));
    Folders.remove(home.policies());
  }

  /** The stack with the current settings. */
  public LocalStack stack() throws ConfigException {
    return new LocalStack(home, settings(), Machine.read(), progress);
  }

  /** Stops everything and removes its files, except logs. */
  @Override
  public void close() throws ConfigException, StackException, IOException {
    closing = true;
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The program is exiting, and the shutdown hook does this.
    }
    stopAll();
  }

  private void stopAll() throws ConfigException, StackException, IOException {
    reset();
    mount.unmount();
    lock.close();
  }

  /** Retries until a start in progress has noticed that the program is exiting. */
  private void stopAtExit() {
    closing = true;
    for (int i = 1; i <= STOP_ATTEMPTS; i++) {
      try {
        stopAll();
        return;
      } catch (ConfigException | StackException | IOException e) {
        if (i == STOP_ATTEMPTS) {
          progress.println("could not stop everything: " + e.getMessage());
        }
      }
      try {
        Thread.sleep(STOP_POLL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
