package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One `up`: starts the missing parts, and stops them again if that fails or is interrupted. */
final class Startup {

  private static final int TAIL_LINES = 15;

  private final StackHome home;
  private final PartRunner runner;
  private final PrintStream out;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final ConcurrentLinkedDeque<Part> launched = new ConcurrentLinkedDeque<>();
  private volatile boolean rolledBack;

  Startup(StackHome home, PartRunner runner, PrintStream out) {
    this.home = home;
    this.runner = runner;
    this.out = out;
  }

  /**
   * Starts the parts, then waits for the last condition.
   *
   * @throws StackException naming the part that failed; everything that this run started has been
   *     stopped
   */
  void run(List<Part> parts, Finish finish) throws StackException, IOException {
    Thread interrupted = new Thread(this::rollBackInterrupted);
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      PartGraph.run(parts, Part::needs, this::start, executor);
      finish.await();
    } catch (StackException | IOException e) {
      rollBack();
      throw e;
    } catch (Exception e) {
      rollBack();
      throw new StackException("interrupted: " + e, e);
    } finally {
      executor.shutdownNow();
      removeHook(interrupted);
    }
  }

  /** The last condition, once every part is ready. */
  interface Finish {
    void await() throws Exception;
  }

  private void start(Part part) throws IOException, InterruptedException, StackException {
    long startNanos = System.nanoTime();
    boolean ran = runner.process(part).isPresent();
    try {
      if (!ran) {
        launch(part);
      }
      runner.awaitReady(part);
    } catch (StackException | IOException e) {
      throw new StackException(part.name() + ": " + e.getMessage() + tail(part), e);
    }
    String elapsed = Text.millis((System.nanoTime() - startNanos) / 1_000_000);
    out.printf("%-15s %s%n", part.name(), ran ? "already running" : "ready in " + elapsed);
  }

  private void launch(Part part) throws IOException, InterruptedException, StackException {
    if (rolledBack) {
      throw new StackException("not started");
    }
    launched.push(part);
    runner.launch(part);
  }

  private void rollBackInterrupted() {
    out.println();
    rollBack();
  }

  private synchronized void rollBack() {
    if (rolledBack) {
      return;
    }
    rolledBack = true;
    executor.shutdownNow();
    if (!launched.isEmpty()) {
      out.println("Stopping the parts that were started");
    }
    try {
      if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
        out.println("A part is still starting; ./dynims down stops it");
      }
      for (Part part : launched) {
        runner.stop(part);
      }
    } catch (InterruptedException | StackException | IOException e) {
      out.println("Could not stop everything: " + e.getMessage() + "; ./dynims down tries again");
    }
  }

  private String tail(Part part) {
    try {
      List<String> lines = Files.readAllLines(home.log(part.name()));
      List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      return "\nThe end of " + home.log(part.name()) + ":\n  " + String.join("\n  ", last);
    } catch (IOException e) {
      return "";
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending already and runs the hook.
    }
  }
}
