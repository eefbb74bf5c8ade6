package io.dynims.experiments.bench.reaction;

import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.DataSet;
import io.dynims.experiments.demo.NodeMemoryReader;
import io.dynims.experiments.demo.PolicyFile;
import io.dynims.experiments.demo.Readers;
import io.dynims.experiments.demo.Sizing;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Measures the loop's reaction on a whole local stack: DynIMS first, then what it is compared with
 * on the same stack under the same load.
 *
 * <p>The node's budget is such that the full tier puts the node at the threshold, so that every
 * sample changes the capacity. Readers keep the tier full; a job allocates memory in steps and
 * frees it. Readers pause during a step, so that what the tmpfs loses is due to the step.
 */
public final class ReactionBench {

  private static final long SEED = 20_261_121;
  private static final String NODE = "bench-1";
  private static final long POLL_MILLIS = 50;
  private static final long WAIT_MILLIS = 60_000;
  private static final long REST_MILLIS = 3_000;

  /** How long readers pause before a step, so that earlier decisions have taken effect. */
  private static final long QUIET_MILLIS = 300;

  private static final long PROTOTYPE_QUIET_MILLIS = 4_000;
  private static final long REFILL_MILLIS = 20_000;
  private static final long INTERVAL_MILLIS = 100;
  private static final long LIGHT_BYTES_PER_SECOND = 128L << 20;

  /** A tier that lacks no more than this counts as full: one block for each reader. */
  private static final long ROOM_BYTES = 2L * DataSet.BLOCK_BYTES;

  private final BenchStack stack;
  private final ReactionOptions options;
  private final PrintStream progress;

  /** A benchmark on a stack that is not running. */
  public ReactionBench(BenchStack stack, ReactionOptions options, PrintStream progress) {
    this.stack = stack;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Starts the stack and measures.
   *
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  public Findings run() throws Exception {
    start(List.of());
    StackSettings settings = stack.settings();
    try (AlluxioFiles alluxio =
        new AlluxioFiles("127.0.0.1", settings.port("alluxio.master.port"))) {
      long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();
      DataSet data = new DataSet(alluxio.files(), SEED, bytes);
      progress.println("writing a data set of " + Text.bytes(bytes));
      data.ensure(done -> {});
      Side dynims = measure("dynims", data, QUIET_MILLIS);
      return options.secure()
          ? besideTls(settings, data, dynims)
          : besidePrototype(settings, data, dynims);
    }
  }

  private Findings besidePrototype(StackSettings settings, DataSet data, Side dynims)
      throws Exception {
    stack.down("flink");
    start(List.of("flink.job=prototype"));
    Side prototype = measure("prototype", data, PROTOTYPE_QUIET_MILLIS);
    return new ReactionFindings(settings, options, dynims, prototype).findings();
  }

  /** Alluxio goes on with its data; all that speaks TLS starts anew. */
  private Findings besideTls(StackSettings settings, DataSet data, Side plain) throws Exception {
    stack.down("kafka");
    stack.down("adapter");
    start(List.of("tls.enabled=true"));
    Side secure = measure("dynims with TLS", data, QUIET_MILLIS);
    return new SecureReactionFindings(settings, options, plain, secure).findings();
  }

  private void start(List<String> more) throws Exception {
    List<String> given =
        new ArrayList<>(
            List.of(
                "node.name=" + NODE,
                "collectd.memory.plugin=dynims",
                "policy.mode=Enforce",
                // The prototype's law; and every step moves it at once, which is what is measured.
                "policy.law=Feedback",
                // With room for a step at its fastest, so that the node's guard stands by.
                "policy.threshold=0.9",
                "loop.realtime=auto",
                // The prototype's decisions are two seconds late by design and must not count as
                // stale.
                "policy.stale.after=10s"));
    given.addAll(more);
    stack.up(given);
  }

  private Side measure(String name, DataSet data, long quietMillis) throws Exception {
    StackSettings settings = stack.settings();
    Path tier = stack.home().tier(settings.tierParent());
    try (LoopTrace trace = new LoopTrace(stack.clients().kafkaProperties(), NODE);
        Readers readers = new Readers(data, SEED)) {
      Load load = new Load(trace, readers, quietMillis);
      setBudget(trace);
      progress.println(name + ": filling the tier");
      load.fill();
      // Lets the readers release what they use only while reading.
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
      setBudget(trace);
      progress.println(name + ": warming up for " + options.warmUpSeconds() + " s");
      load.run(options.warmUpSeconds(), new TouchSteps(tier));
      progress.println(name + ": measuring for " + options.seconds() + " s");
      TouchSteps touches = new TouchSteps(tier);
      PushMeter pushes = new PushMeter(settings.controllerUrl());
      long fromMillis = System.currentTimeMillis();
      load.run(options.seconds(), touches);
      LoopTrace.Slice slice = trace.between(fromMillis, System.currentTimeMillis());
      return new Side(
          name,
          Hops.of(slice),
          touches,
          pushes.meanMillis(),
          slice.decisions().size(),
          stack.stack().isRealTime(),
          readers.ok(),
          readers.corrupt() + readers.failed());
    }
  }

  /** Derives the budget from the memory in use now without the tier's own data. */
  private void setBudget(LoopTrace trace) throws Exception {
    StackSettings settings = stack.settings();
    // Blocks that this process has read stay mapped, and so in memory, until a garbage collection.
    System.gc();
    long tierBytes = Folders.sizeBytes(stack.home().tier(settings.tierParent()));
    long othersBytes = Math.max(0, NodeMemoryReader.now().usedBytes() - tierBytes);
    Sizing sizing = Sizing.of(othersBytes, settings.tierMaxBytes(), settings.threshold());
    Path policy = stack.home().policies().resolve("alluxio.yaml");
    letGuardStandBy(policy);
    PolicyFile.setBudget(policy, sizing.budgetBytes());
    boolean inForce =
        await(
            () ->
                trace
                    .lastTarget()
                    .filter(t -> t.memoryTotalBytes() == sizing.budgetBytes())
                    .isPresent());
    if (!inForce) {
      throw new StackException(
          "no decision with the new policy; see the logs in " + stack.home().logs());
    }
  }

  /** After it has braked, pushes may grow the tier slowly only, which is not what is measured. */
  private static void letGuardStandBy(Path policy) throws IOException {
    String text = Files.readString(policy);
    if (!text.contains("\n  guard:")) {
      String guard = "  guard: {criticalUtilization: 1, pressureLimit: 100%}\n";
      Files.writeString(policy, text.stripTrailing() + "\n" + guard);
    }
  }

  private static boolean await(BooleanSupplier condition) throws InterruptedException {
    return Await.until(WAIT_MILLIS, POLL_MILLIS, condition);
  }

  /** The load on the tier. */
  private static final class Load {

    private final LoopTrace trace;
    private final Readers readers;
    private final long quietMillis;
    private final SplittableRandom random = new SplittableRandom(SEED);

    Load(LoopTrace trace, Readers readers, long quietMillis) {
      this.trace = trace;
      this.readers = readers;
      this.quietMillis = quietMillis;
    }

    void fill() throws InterruptedException {
      readers.pace(Readers.UNLIMITED);
      var unused = await(this::isFull);
      readers.pace(0);
    }

    /** Runs steps for a time; each starts at a random moment of the loop's interval. */
    void run(int seconds, TouchSteps touches) throws Exception {
      long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (System.nanoTime() - endNanos < 0) {
        refill();
        readers.pace(0);
        TimeUnit.MILLISECONDS.sleep(quietMillis + random.nextLong(INTERVAL_MILLIS));
        touches.step();
      }
      readers.pace(0);
    }

    private void refill() throws InterruptedException {
      long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REFILL_MILLIS);
      readers.pace(LIGHT_BYTES_PER_SECOND);
      do {
        TimeUnit.MILLISECONDS.sleep(2 * INTERVAL_MILLIS);
      } while (!isFull() && System.nanoTime() - endNanos < 0);
    }

    private boolean isFull() {
      return trace.lastAck().filter(ack -> isFull(ack)).isPresent();
    }

    private static boolean isFull(Ack ack) {
      return ack.usedBytes() > ack.capacityBytes() - ROOM_BYTES;
    }
  }
}
