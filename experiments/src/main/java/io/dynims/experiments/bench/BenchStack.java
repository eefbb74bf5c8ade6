package io.dynims.experiments.bench;

import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.Machine;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.config.ConfigException;
import io.dynims.core.config.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A local stack of a benchmark's own: on free ports, in the folder {@code bench} of the stack's
 * home. It ends with the benchmark, however that ends; only its logs stay.
 */
public final class BenchStack implements AutoCloseable {

  private static final long END_ATTEMPTS = 100;
  private static final long END_POLL_MILLIS = 200;

  private final StackHome home;
  private final Map<String, String> environment;
  private final PrintStream progress;
  private final List<String> own;
  private final TierMount mount;
  private final BenchLock lock;
  private final Thread atExit = new Thread(this::endAtExit, "bench-end");
  private List<String> given;
  private volatile boolean closing;

  /**
   * Chooses the ports; nothing runs yet but what an earlier benchmark that was killed left behind,
   * which is ended. One that runs is left alone.
   *
   * @param user the home of the user's stack
   * @param environment the environment variables, which may have settings of the stack
   * @param hugePages whether the tier is to be in a tmpfs with huge pages of its own
   * @param progress where it tells what starts
   */
  public BenchStack(
      StackHome user, Map<String, String> environment, boolean hugePages, PrintStream progress)
      throws ConfigException, StackException, IOException {
    this.home = new StackHome(user.project(), user.state().resolve("bench"));
    this.environment = environment;
    this.progress = progress;
    this.given = List.of();
    this.lock = BenchLock.take(user.state());
    Optional<StackSettings> leftBehind = StackSettings.inForce(home, Machine.read());
    if (leftBehind.isPresent()) {
      new LocalStack(home, leftBehind.get(), Machine.read(), progress).down();
    }
    Folders.remove(home.policies()); // Another benchmark's would be taken for the user's own.
    this.own = new ArrayList<>();
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

  /** What it runs with, or will. */
  public StackSettings settings() throws ConfigException {
    return StackSettings.forNewStack(home, given, environment, Machine.read());
  }

  /**
   * Starts parts and what they need; of those that run, nothing changes.
   *
   * @param more settings, {@code KEY=VALUE}, for what starts now; they replace earlier ones
   * @param parts their names; none for all
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

  /** Ends a part and those that need it; the others run on. */
  public void down(String part) throws ConfigException, StackException, IOException {
    stack().down(List.of(part));
  }

  /** The stack as it is set now. */
  public LocalStack stack() throws ConfigException {
    return new LocalStack(home, settings(), Machine.read(), progress);
  }

  /** Ends everything and removes what it wrote, apart from logs. */
  @Override
  public void close() throws ConfigException, StackException, IOException {
    closing = true;
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The program is being ended, and the hook does this.
    }
    end();
  }

  private void end() throws ConfigException, StackException, IOException {
    stack().down();
    Folders.remove(home.state().resolve("data"));
    Folders.remove(home.state().resolve("ufs"));
    Folders.remove(home.policies());
    mount.unmount();
    lock.close();
  }

  /** Waits for a start that is under way to notice that the program ends. */
  private void endAtExit() {
    closing = true;
    for (int i = 1; i <= END_ATTEMPTS; i++) {
      try {
        end();
        return;
      } catch (ConfigException | StackException | IOException e) {
        if (i == END_ATTEMPTS) {
          progress.println("could not end everything: " + e.getMessage());
        }
      }
      try {
        Thread.sleep(END_POLL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
