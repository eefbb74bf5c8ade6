package io.dynims.experiments.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The demo on a stack that is up: fills the tier, lets a memory burst come and go while every byte
 * read is checked, and says whether the tier made room and came back.
 */
public final class Demo {

  private static final long TICK_MILLIS = 100;
  private static final long POLICY_MILLIS = 20_000;
  private static final long FILL_MILLIS = 120_000;
  private static final long IDLE_MILLIS = 10_000;
  private static final long REST_MILLIS = 3_000;
  private static final long LEAD_MILLIS = 2_000;

  /** Programs that have just been started react to their first small steps more slowly. */
  private static final long WARM_MILLIS = 15_000;

  private static final long PLATEAU_MILLIS = 8_000;
  private static final long BACK_MILLIS = 60_000;
  private static final long LINGER_MILLIS = 3_000;
  private static final long RECENT_MILLIS = 10_000;
  private static final int RISE_SECONDS = 4;
  private static final int FALL_SECONDS = 6;

  /** Enough to keep the tier full, without which the law would let its capacity grow unused. */
  private static final long IDLE_BYTES_PER_SECOND = 32L << 20;

  private static final long STEADY_BYTES_PER_SECOND = 96L << 20;
  private static final long ROOM_BYTES = 64L << 20;

  private final DemoSettings settings;
  private final Clock clock;
  private final PrintStream out;
  private final LiveView view;

  /**
   * A demo.
   *
   * @param out where it shows what happens
   * @param terminal whether that is a terminal that understands ANSI sequences
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
   * @return the exit code: 0 if the tier made room and came back and no read was wrong, 1 if not
   * @throws Exception when a part of the stack does not answer; the message says which
   */
  public int run() throws Exception {
    try (LoopWatch loop = new LoopWatch(settings.bootstrapServers(), settings.node());
        MemorySampler memory = new MemorySampler(clock);
        AlluxioFiles alluxio = new AlluxioFiles(settings.alluxioHost(), settings.alluxioPort())) {
      DataSet data = writeData(alluxio);
      try (Readers readers = new Readers(data, settings.seed())) {
        Run first = new Run(setBudget(loop, memory), loop, memory, readers);
        first.fill();
        first.rest();
        // Again, for by now other programs, the parts of the stack among them, use more or less.
        Sizing sizing = setBudget(loop, memory);
        Phases phases = new Run(sizing, loop, memory, readers).burstComesAndGoes();
        readers.close();
        return conclude(
            new Measurement(settings, sizing, phases, memory.trace(), loop)
                .report(
                    readers,
                    NodeMemoryReader.now().totalBytes(),
                    Runtime.getRuntime().availableProcessors()));
      }
    }
  }

  private DataSet writeData(AlluxioFiles alluxio) throws Exception {
    long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();
    view.say("Writing a data set of " + Judge.mebibytes(bytes) + " MiB, seed " + settings.seed());
    DataSet data = new DataSet(alluxio.files(), settings.seed(), bytes);
    long[] saidMillis = {clock.millis()};
    data.ensure(
        done -> {
          if (clock.millis() - saidMillis[0] >= 2_000) {
            saidMillis[0] = clock.millis();
            view.say("  " + Judge.mebibytes(done) + " MiB");
          }
        });
    return data;
  }

  /** The budget follows from what is in use now, apart from the tier's own data. */
  private Sizing setBudget(LoopWatch loop, MemorySampler memory) throws Exception {
    TierReply reply = new TierClient(settings.adapter()).get();
    TierStatus tier = reply.tier();
    if (reply.status() == AckStatus.Failed || tier == null) {
      throw new IOException("the adapter does not answer: " + reply.message());
    }
    Sizing sizing =
        Sizing.of(
            Math.max(0, memory.usedBytes() - tier.usedBytes()),
            settings.tierMaxBytes(),
            settings.threshold());
    PolicyFile.setBudget(settings.policyFile(), sizing.budgetBytes());
    view.say("The node may use " + Judge.mebibytes(sizing.budgetBytes()) + " MiB");
    if (!await(POLICY_MILLIS, () -> isInForce(loop, sizing), () -> {})) {
      throw new IOException(
          "no decision on the new policy has come: its mode has to be Enforce ("
              + settings.policyFile()
              + "); otherwise look at the logs of the controller and the job");
    }
    return sizing;
  }

  private static boolean isInForce(LoopWatch loop, Sizing sizing) {
    return loop.lastTarget().map(Target::memoryTotalBytes).orElse(0L) == sizing.budgetBytes();
  }

  private int conclude(DemoReport report) throws IOException {
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
    long endMillis = clock.millis() + atMostMillis;
    while (!condition.getAsBoolean()) {
      if (clock.millis() >= endMillis) {
        return false;
      }
      each.run();
      Thread.sleep(TICK_MILLIS);
    }
    return true;
  }

  /** The part with the tier at work. */
  private final class Run {

    private final Sizing sizing;
    private final LoopWatch loop;
    private final MemorySampler memory;
    private final Readers readers;

    Run(Sizing sizing, LoopWatch loop, MemorySampler memory, Readers readers) {
      this.sizing = sizing;
      this.loop = loop;
      this.memory = memory;
      this.readers = readers;
    }

    void fill() throws InterruptedException {
      if (!await(FILL_MILLIS, this::isFull, () -> tick("filling the tier", 0))) {
        view.say("The tier did not fill; going on with what it has.");
      }
    }

    /** Lets go what the readers use only while they read. */
    void rest() throws InterruptedException {
      readers.pace(0);
      pass(REST_MILLIS, () -> show("resting", 0));
    }

    Phases burstComesAndGoes() throws Exception {
      fill();
      pass(WARM_MILLIS, () -> tick("idle, little is read", 0, IDLE_BYTES_PER_SECOND));
      long idleFrom = clock.millis();
      pass(IDLE_MILLIS, () -> tick("idle, little is read", 0, IDLE_BYTES_PER_SECOND));
      long idleTo = clock.millis();
      pass(LEAD_MILLIS, () -> tick("reading from a full tier", 0));
      long capacityBefore = loop.lastAck().map(Ack::capacityBytes).orElse(0L);
      try (BurstProcess burst = new BurstProcess(shape())) {
        await(
            BACK_MILLIS,
            () -> !burst.isAlive(),
            () -> tick("a burst, process " + burst.pid(), burst.heldBytes()));
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

    private BurstProcess.Shape shape() {
      long peak = sizing.burstBytes();
      return new BurstProcess.Shape(peak, peak / RISE_SECONDS, PLATEAU_MILLIS, peak / FALL_SECONDS);
    }

    private void pass(long millis, Runnable each) throws InterruptedException {
      var unused = await(millis, () -> false, each);
    }

    private boolean isFull() {
      return loop.lastAck().filter(Run::isFull).isPresent();
    }

    /** Back is a tier that stays back for a while. */
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
          () -> tick("the burst is over", 0));
    }

    private boolean isBack(long capacityBefore) {
      return loop.lastAck()
          .filter(ack -> isFull(ack) && ack.capacityBytes() >= Judge.BACK * capacityBefore)
          .isPresent();
    }

    private static boolean isFull(Ack ack) {
      return ack.usedBytes() > ack.capacityBytes() - ROOM_BYTES;
    }

    private void tick(String phase, long jobBytes) {
      tick(phase, jobBytes, STEADY_BYTES_PER_SECOND);
    }

    /** Reads at a pace, and as fast as it goes while the tier has room. */
    private void tick(String phase, long jobBytes, long paceBytesPerSecond) {
      readers.pace(isFull() ? paceBytesPerSecond : Readers.UNLIMITED);
      show(phase, jobBytes);
    }

    private void show(String phase, long jobBytes) {
      long now = clock.millis();
      view.show(
          new LiveView.Picture(
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
                  + " right, "
                  + readers.corrupt()
                  + " wrong, "
                  + readers.failed()
                  + " failed"));
    }
  }
}
