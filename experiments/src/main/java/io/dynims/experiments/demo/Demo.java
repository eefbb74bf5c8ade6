package io.dynims.experiments.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The demo on a running stack: fills the tier, runs a memory burst while every byte read is
 * checked, and reports whether the tier made room and grew back.
 */
public final class Demo {

  private static final long TICK_MILLIS = 100;
  private static final long FILL_MILLIS = 120_000;
  private static final long IDLE_MILLIS = 12_000;
  private static final long REST_MILLIS = 3_000;
  private static final long LEAD_MILLIS = 2_000;

  /** Programs that have just started react to their first small steps more slowly. */
  private static final long WARM_MILLIS = 15_000;

  private static final long PLATEAU_MILLIS = 8_000;
  private static final long BACK_MILLIS = 60_000;
  private static final long LINGER_MILLIS = 3_000;
  private static final long RECENT_MILLIS = 10_000;

  /** Enough to keep the tier full; otherwise its capacity would grow unused. */
  private static final long IDLE_BYTES_PER_SECOND = 32L << 20;

  private static final long STEADY_BYTES_PER_SECOND = 96L << 20;

  private final DemoSettings settings;
  private final Clock clock;
  private final PrintStream out;
  private final LiveView view;

  /**
   * A demo.
   *
   * @param out where it shows progress
   * @param terminal whether {@code out} understands ANSI escape sequences
   */
  public Demo(DemoSettings settings, Clock clock, PrintStream out, boolean terminal) {
    this.settings = settings;
    this.clock = clock;
    this.out = out;
    this.view = new LiveView(out, terminal, clock);
  }

  /**
   * Runs it and writes the report.
   *
   * @return the exit code: 0 if the tier made room and grew back and every read was correct, else 1
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  public int run() throws Exception {
    return conclude(measure());
  }

  /** Runs it without a judgement. */
  DemoReport measure() throws Exception {
    try (LoopRecorder loop = new LoopRecorder(settings.kafka(), settings.node());
        MemorySampler memory = new MemorySampler(clock, settings.machine())) {
      writeData();
      try (Readers readers = new Readers(settings.load(), settings.seed())) {
        Run first = new Run(setBudget(loop), loop, memory, readers);
        first.fill();
        first.rest();
        // Once more, because the memory of other programs, including the stack, has changed.
        Sizing sizing = setBudget(loop);
        Run second = new Run(sizing, loop, memory, readers);
        Phases phases = second.runBurst();
        readers.close();
        return new Measurement(settings, sizing, phases, memory.trace(), second.burst, loop)
            .report(
                readers,
                NodeMemoryReader.now().totalBytes(),
                Runtime.getRuntime().availableProcessors());
      }
    }
  }

  private void writeData() throws Exception {
    long bytes = (long) settings.load().items() * settings.load().itemBytes();
    view.print("Writing a data set of " + Judge.mebibytes(bytes) + " MiB, seed " + settings.seed());
    long[] printedMillis = {clock.millis()};
    settings
        .load()
        .ensure(
            done -> {
              if (clock.millis() - printedMillis[0] >= 2_000) {
                printedMillis[0] = clock.millis();
                view.print("  " + Judge.mebibytes(done) + " MiB");
              }
            });
  }

  private Sizing setBudget(LoopRecorder loop) throws Exception {
    NodeBudget budget =
        new NodeBudget(
            settings.adapter(),
            settings.policyFile(),
            loop,
            settings.tierMaxBytes(),
            settings.machine());
    Sizing sizing = budget.set(settings.threshold());
    view.print("The node may use " + Judge.mebibytes(sizing.budgetBytes()) + " MiB");
    return sizing;
  }

  /** Writes and prints the report, and returns the exit code. */
  int conclude(DemoReport report) throws IOException {
    Files.write(
        settings.reportFile(),
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(report));
    List<String> failures = Judge.failures(report);
    new DemoSummary(report, failures, Judge.missedGoals(report)).print(out);
    out.println("report: " + settings.reportFile());
    return failures.isEmpty() ? 0 : 1;
  }

  private boolean await(long atMostMillis, BooleanSupplier condition, Runnable each)
      throws InterruptedException {
    return Await.until(
        atMostMillis,
        TICK_MILLIS,
        () -> {
          if (condition.getAsBoolean()) {
            return true;
          }
          each.run();
          return false;
        });
  }

  /** The phases with the tier in use. */
  private final class Run {

    private final Sizing sizing;
    private final LoopRecorder loop;
    private final MemorySampler memory;
    private final Readers readers;
    private List<LoadProcess.Report> burst = List.of();

    Run(Sizing sizing, LoopRecorder loop, MemorySampler memory, Readers readers) {
      this.sizing = sizing;
      this.loop = loop;
      this.memory = memory;
      this.readers = readers;
    }

    void fill() throws InterruptedException {
      if (!await(FILL_MILLIS, this::isFull, () -> tick("filling the tier", 0))) {
        view.print("The tier did not fill; continuing with what it holds.");
      }
    }

    /** Lets the readers release what they use only while reading. */
    void rest() throws InterruptedException {
      readers.pace(0);
      pass(REST_MILLIS, () -> show("resting", 0));
    }

    Phases runBurst() throws Exception {
      fill();
      runSmallJob(WARM_MILLIS);
      long idleFrom = clock.millis();
      runSmallJob(IDLE_MILLIS);
      long idleTo = clock.millis();
      pass(LEAD_MILLIS, () -> tick("reading from a full tier", 0));
      long capacityBefore = loop.lastAck().map(Ack::capacityBytes).orElse(0L);
      try (LoadProcess burst =
          new LoadProcess(sizing.burst(0, PLATEAU_MILLIS), settings.machine()::place)) {
        await(
            BACK_MILLIS,
            () -> !burst.isAlive(),
            () -> tick("a burst, process " + burst.pid(), burst.heldBytes()));
        this.burst = burst.reports();
        awaitBack(capacityBefore);
        return new Phases(
            idleFrom,
            idleTo,
            burst.risenMillis(),
            burst.fallingMillis(),
            burst.fallenMillis(),
            clock.millis());
      }
    }

    /** A job so small that the machine counts as idle, without which a calm tier never changes. */
    private void runSmallJob(long millis) throws Exception {
      try (LoadProcess job = new LoadProcess(sizing.smallJob(), settings.machine()::place)) {
        pass(millis, () -> tick("a small job", job.heldBytes(), IDLE_BYTES_PER_SECOND));
      }
    }

    private void pass(long millis, Runnable each) throws InterruptedException {
      var unused = await(millis, () -> false, each);
    }

    private boolean isFull() {
      return loop.isTierFull(sizing.dataSetBytes());
    }

    /** Waits until the tier has grown back and stays so for a while. */
    private void awaitBack(long capacityBefore) throws InterruptedException {
      long[] awayMillis = {clock.millis()};
      await(
          BACK_MILLIS,
          () -> {
            if (!isBack(capacityBefore)) {
              awayMillis[0] = clock.millis();
            }
            return clock.millis() - awayMillis[0] >= LINGER_MILLIS;
          },
          () -> tick("after the burst", 0));
    }

    private boolean isBack(long capacityBefore) {
      return isFull()
          && loop.lastAck()
              .filter(ack -> ack.capacityBytes() >= Judge.BACK * capacityBefore)
              .isPresent();
    }

    private void tick(String phase, long jobBytes) {
      tick(phase, jobBytes, STEADY_BYTES_PER_SECOND);
    }

    /** Reads at a steady rate, or without a limit while the tier has room. */
    private void tick(String phase, long jobBytes, long paceBytesPerSecond) {
      readers.pace(isFull() ? paceBytesPerSecond : Readers.UNLIMITED);
      show(phase, jobBytes);
    }

    private void show(String phase, long jobBytes) {
      long now = clock.millis();
      view.show(
          new LiveView.Frame(
              phase,
              sizing.budgetBytes(),
              jobBytes,
              loop.lastAck().map(Ack::capacityBytes).orElse(0L),
              loop.lastAck().map(Ack::usedBytes).orElse(0L),
              settings.tierMaxBytes(),
              memory.usedBytes(),
              settings.threshold(),
              ReactionMillis.of(loop.acks(now - RECENT_MILLIS, now)),
              loop.lastTarget().map(Target::reason).orElse("none yet"),
              readers.ok()
                  + " correct, "
                  + readers.missed()
                  + " missed, "
                  + readers.corrupt()
                  + " wrong, "
                  + readers.failed()
                  + " failed"));
    }
  }
}
