package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One `up`: starts what does not run, and takes it back when that fails or is interrupted. */
final class Startup {

  private static final int TAIL_LINES = 15;

  private final StackHome home;
  private final PartRunner runner;
  private final PrintStream out;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final ConcurrentLinkedDeque<Part> launched = new ConcurrentLinkedDeque<>();
  private volatile boolean undone;

  Startup(StackHome home, PartRunner runner, PrintStream out) {
    this.home = home;
    this.runner = runner;
    this.out = out;
  }

  /**
   * Starts the parts, then waits for the last condition.
   *
   * @throws StackException naming the part that failed; all that this run started has ended then
   */
  void run(List<Part> parts, Finish finish) throws StackException, IOException {
    Thread interrupted = new Thread(this::undoInterrupted);
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      PartGraph.run(parts, Part::needs, this::start, executor);
      finish.await();
    } catch (StackException | IOException e) {
      undo();
      throw e;
    } catch (Exception e) {
      undo();
      throw new StackException("interrupted: " + e, e);
    } finally {
      executor.shutdownNow();
      removeHook(interrupted);
    }
  }

  /** What is waited for once every part is ready. */
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
    String took = Text.millis((System.nanoTime() - startNanos) / 1_000_000);
    out.printf("%-15s %s%n", part.name(), ran ? "runs already" : "ready in " + took);
  }

  private void launch(Part part) throws IOException, InterruptedException, StackException {
    if (undone) {
      throw new StackException("not started");
    }
    launched.push(part);
    runner.launch(part);
  }

  private void undoInterrupted() {
    out.println();
    undo();
  }

  private synchronized void undo() {
    if (undone) {
      return;
    }
    undone = true;
    executor.shutdownNow();
    if (!launched.isEmpty()) {
      out.println("Stopping what was started");
    }
    try {
      if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
        out.println("A part is still being started; ./dynims down ends it");
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
      // The program ends already and the hook runs.
    }
  }
}
