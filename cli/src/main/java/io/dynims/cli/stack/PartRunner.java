package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts a part, waits until it is ready, and stops it. */
final class PartRunner {

  private static final long POLL_MILLIS = 100;
  private static final long KILL_TIMEOUT_MILLIS = 5_000;
  private static final long LOG_MAX_BYTES = 16 << 20;

  private final StackHome home;
  private final StackSettings settings;
  private final PrintStream out;

  PartRunner(StackHome home, StackSettings settings, PrintStream out) {
    this.home = home;
    this.settings = settings;
    this.out = out;
  }

  /** The part's process, if it is running. */
  Optional<ProcessId> process(Part part) {
    return ProcessId.read(home.pid(part.name())).filter(ProcessId::isAlive);
  }

  /** Starts the process and records its pid; the process outlives this one. */
  void launch(Part part) throws IOException, InterruptedException, StackException {
    rotate(home.log(part.name()));
    Folders.remove(home.temporary(part.name()));
    Files.createDirectories(home.temporary(part.name()));
    part.prepare().run();
    // In a session of its own, the part survives the end of this terminal.
    List<String> command = new ArrayList<>(List.of("setsid", "--"));
    command.addAll(part.command());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.state().toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(home.log(part.name()).toFile()));
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    Process process = builder.start();
    Optional<ProcessId> id = ProcessId.of(process.pid());
    if (id.isEmpty()) {
      throw new StackException("ended right after its start");
    }
    id.get().write(home.pid(part.name()));
  }

  /**
   * Waits until the part is ready.
   *
   * @throws StackException if it ends or takes too long; the message says what is missing
   */
  void awaitReady(Part part) throws InterruptedException, StackException {
    long startNanos = System.nanoTime();
    while (true) {
      if (process(part).isEmpty()) {
        throw new StackException("ended before it was ready");
      }
      Optional<String> missing = missing(part);
      if (missing.isEmpty()) {
        return;
      }
      if (System.nanoTime() - startNanos > settings.readyTimeoutMillis() * 1_000_000) {
        throw new StackException(
            "not ready after "
                + Text.millis(settings.readyTimeoutMillis())
                + " (ready.timeout): "
                + missing.get());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** What keeps a part from being ready, now. */
  static Optional<String> missing(Part part) throws InterruptedException {
    try {
      return part.readiness().missing();
    } catch (IOException e) {
      return Optional.of("no answer (" + e + ")");
    }
  }

  /** Stops the part and waits for its end; kills it if it does not stop in time. */
  void stop(Part part) throws InterruptedException, StackException, IOException {
    Optional<ProcessId> running = process(part);
    if (running.isPresent()) {
      ProcessId process = running.get();
      process.signal(false);
      if (!awaitEnd(process, settings.stopTimeoutMillis())) {
        out.printf(
            "%-15s has not ended after %s (stop.timeout); killing it%n",
            part.name(), Text.millis(settings.stopTimeoutMillis()));
        process.signal(true);
        if (!awaitEnd(process, KILL_TIMEOUT_MILLIS)) {
          throw new StackException(part.name() + ": pid " + process.pid() + " cannot be killed");
        }
      }
    }
    Files.deleteIfExists(home.pid(part.name()));
  }

  private static boolean awaitEnd(ProcessId process, long timeoutMillis)
      throws InterruptedException {
    long deadlineNanos = System.nanoTime() + timeoutMillis * 1_000_000;
    while (process.isAlive()) {
      if (System.nanoTime() - deadlineNanos > 0) {
        return false;
      }
      Thread.sleep(POLL_MILLIS / 2);
    }
    return true;
  }

  /** Keeps one old log file, so that the logs of many runs do not fill the disk. */
  private static void rotate(Path log) throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_MAX_BYTES) {
      Files.move(
          log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
