package io.dynims.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.law.LawType;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.DataSet;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.LoadProfile;
import io.dynims.experiments.demo.LoopRecorder;
import io.dynims.experiments.demo.MemorySampler;
import io.dynims.experiments.demo.NodeBudget;
import io.dynims.experiments.demo.NodeMemoryReader;
import io.dynims.experiments.demo.OthersMemory;
import io.dynims.experiments.demo.Readers;
import io.dynims.experiments.demo.Sizing;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Makes one fault after another on one stack, each under a burst of 5/8 of the tier within four
 * seconds while readers check every byte of a full tier.
 */
final class ChaosRun implements AutoCloseable {

  private static final long SEED = 20_261_122;
  private static final double THRESHOLD = 0.95;
  private static final long SAMPLE_MILLIS = 10;
  private static final long POLL_MILLIS = 50;
  private static final long REST_MILLIS = 1_000;
  private static final long REACH_MILLIS = 300_000;
  private static final long LATE_MILLIS = 120_000;

  /** Generous where it is promised; elsewhere nothing but a figure is at stake. */
  private static final long BACK_MILLIS = 120_000;

  private static final long MAYBE_BACK_MILLIS = 10_000;
  private static final long HEAL_MILLIS = 180_000;
  private static final long BYTES_PER_SECOND = 96L << 20;
  private static final long ROOM_BYTES = 64L << 20;

  /** A tier of this part of its former size is back. */
  private static final double BACK = 0.95;

  /** So is one that the rest of the node keeps smaller: the node is this near to its threshold. */
  private static final double NEAR = 0.015;

  private final Clock clock = Clock.systemUTC();
  private final ChaosStack stack = new ChaosStack();
  private final AlluxioFiles alluxio;
  private final Readers readers;
  private final MemorySampler node;
  private final MemorySampler tier;
  private final List<Outcome> outcomes = new ArrayList<>();
  private long decidedMillis;

  /** M, since the last starting point. */
  private long memoryBytes;

  /** Starts the stack and writes the data that is read. */
  ChaosRun() throws Exception {
    alluxio = new AlluxioFiles("127.0.0.1", stack.settings().port("alluxio.master.port"));
    long bytes = Sizing.of(0, stack.settings().tierMaxBytes(), THRESHOLD).dataSetBytes();
    DataSet data = new DataSet(alluxio.files(), SEED, bytes);
    data.ensure(done -> {});
    readers = new Readers(data, SEED);
    node = new MemorySampler(clock, SAMPLE_MILLIS, () -> NodeMemoryReader.now().usedBytes());
    FileStore tmpfs = Files.getFileStore(stack.tierFolder());
    tier =
        new MemorySampler(
            clock, SAMPLE_MILLIS, () -> tmpfs.getTotalSpace() - tmpfs.getUnallocatedSpace());
  }

  ChaosStack stack() {
    return stack;
  }

  /** What has happened so far. */
  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }

  /**
   * Makes a fault and a burst, ends the fault, waits until the stack is well again, and checks what
   * is promised.
   *
   * @param name the fault in a few words
   */
  Outcome run(String name, Promise promise, Fault fault) throws Exception {
    System.out.println("chaos: " + name);
    startingPoint();
    Set<String> policies = stack.witness().policies();
    long capacityBytes = capacityBytes();
    long[] read = {readers.ok(), readers.corrupt(), readers.failed()};
    stack.witness().startListening();
    long fromMillis;
    OptionalLong back;
    OptionalLong healed;
    List<LoadProcess.Report> load;
    fault.begin(stack);
    try {
      fromMillis = clock.millis();
      load = burst(fault);
      back =
          timeUntil(
              promise == Promise.NeverAboveMemory ? BACK_MILLIS : MAYBE_BACK_MILLIS,
              () -> isBack(capacityBytes));
    } finally {
      fault.end(stack);
    }
    decidedMillis = lastDecidedMillis();
    healed = timeUntil(HEAL_MILLIS, () -> isHealed(capacityBytes));
    long toMillis = clock.millis();
    Set<String> lost = new TreeSet<>(policies);
    lost.removeAll(stack.witness().policies());
    OthersMemory others =
        OthersMemory.of(
            node.trace(),
            millis -> tier.trace().usedBytesFrom(millis) + LoadProcess.heldBytes(load, millis),
            fromMillis,
            toMillis);
    Outcome outcome =
        new Outcome(
            name,
            promise,
            (double) node.trace().maxUsedBytes(fromMillis, toMillis) / memoryBytes,
            (double) others.maxUsedBytes() / memoryBytes,
            node.trace().overMillis(fromMillis, toMillis, memoryBytes),
            back,
            healed,
            readers.ok() - read[0],
            readers.corrupt() - read[1],
            readers.failed() - read[2],
            lost.size(),
            others.rangeBytes(),
            memoryBytes,
            stack.witness().told());
    outcomes.add(outcome);
    System.out.println("chaos: " + String.join(" | ", outcome.row()));
    check(outcome);
    return outcome;
  }

  private static void check(Outcome outcome) {
    assertThat(outcome.wrongBlocks()).as("blocks with a wrong byte: %s", outcome).isZero();
    assertThat(outcome.blocksRead()).as("blocks read: %s", outcome).isPositive();
    assertThat(outcome.healMillis()).as("time to heal: %s", outcome).isPresent();
    assertThat(outcome.lostPolicies()).as("lost policies: %s", outcome).isZero();
    if (outcome.promise() == Promise.NeverAboveMemory) {
      assertThat(outcome.ownPeakUtilization()).as("highest use of M: %s", outcome).isLessThan(1);
      assertThat(outcome.backMillis()).as("tier back during the fault: %s", outcome).isPresent();
    }
  }

  @Override
  public void close() throws Exception {
    tier.close();
    node.close();
    readers.close();
    alluxio.close();
    stack.close();
  }

  /** A full tier on a node at its threshold, with a budget of what is in use now. */
  private void startingPoint() throws Exception {
    stack.repair();
    assertThat(Await.until(REACH_MILLIS, POLL_MILLIS, () -> isEnforcing() && capacityBytes() > 0))
        .as("a healthy stack")
        .isTrue();
    readers.pace(0);
    Thread.sleep(REST_MILLIS); // What the readers use only while they read is not the node's.
    try (LoopRecorder loop =
        new LoopRecorder(stack.clients().kafkaProperties(), stack.settings().nodeName())) {
      memoryBytes =
          new NodeBudget(
                  stack.clients().tier(), stack.policyFile(), loop, stack.settings().tierMaxBytes())
              .set(LawType.DEFAULT, THRESHOLD)
              .budgetBytes();
    }
    boolean reached =
        Await.until(
            REACH_MILLIS, POLL_MILLIS, () -> keepFull() && isEnforcing() && isNearThreshold());
    assertThat(reached).as("a full tier on a node at its threshold").isTrue();
  }

  private List<LoadProcess.Report> burst(Fault fault) throws Exception {
    long peakBytes = Sizing.of(0, stack.settings().tierMaxBytes(), THRESHOLD).burstBytes();
    LoadProfile profile =
        LoadProfile.startingAt(0)
            .then(500, 0)
            .then(4_000, peakBytes)
            .then(3_000, peakBytes)
            .then(2_000, 0);
    boolean half = false;
    try (LoadProcess process = new LoadProcess(profile)) {
      long endNanos = System.nanoTime() + LATE_MILLIS * 1_000_000;
      while (process.isAlive() && System.nanoTime() - endNanos < 0) {
        keepFull();
        if (!half && process.heldBytes() >= peakBytes / 2) {
          half = true;
          fault.atHalfOfTheBurst(stack);
        }
        Thread.sleep(POLL_MILLIS / 5);
      }
      assertThat(half).as("the burst ran").isTrue();
      return process.reports();
    }
  }

  private OptionalLong timeUntil(long atMostMillis, BooleanSupplier condition) throws Exception {
    long startNanos = System.nanoTime();
    boolean met =
        Await.until(
            atMostMillis,
            POLL_MILLIS,
            () -> {
              keepFull();
              return condition.getAsBoolean();
            });
    return met
        ? OptionalLong.of((System.nanoTime() - startNanos) / 1_000_000)
        : OptionalLong.empty();
  }

  /**
   * Reads at a steady rate, or without a limit while the tier has room; tells whether it is full.
   */
  private boolean keepFull() {
    boolean full =
        stack
            .witness()
            .adapter()
            .map(
                status ->
                    status.path("usedBytes").asLong()
                        > status.path("capacityBytes").asLong() - ROOM_BYTES)
            // Not known while the adapter does not answer: as far as the node has room.
            .orElse(memoryBytes == 0 || node.usedBytes() > (THRESHOLD - NEAR) * memoryBytes);
    readers.pace(full ? BYTES_PER_SECOND : Readers.UNLIMITED);
    return full;
  }

  private boolean isHealed(long capacityBytes) {
    return isEnforcing() && lastDecidedMillis() != decidedMillis && isBack(capacityBytes);
  }

  private boolean isBack(long capacityBytes) {
    return capacityBytes() >= BACK * capacityBytes || isNearThreshold();
  }

  private boolean isNearThreshold() {
    return Math.abs(node.usedBytes() - THRESHOLD * memoryBytes) <= NEAR * memoryBytes;
  }

  private boolean isEnforcing() {
    return stack
        .witness()
        .controller()
        .filter(state -> state.path("state").asText().equals("Enforcing"))
        .isPresent();
  }

  /** 0 if the adapter does not answer. */
  private long capacityBytes() {
    return stack.witness().adapter().map(s -> s.path("capacityBytes").asLong()).orElse(0L);
  }

  private long lastDecidedMillis() {
    return stack
        .witness()
        .controller()
        .map(state -> state.path("lastDecision"))
        .map((JsonNode decision) -> decision.path("decidedMillis").asLong())
        .orElse(-1L);
  }
}
