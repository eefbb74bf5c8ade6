package io.dynims.experiments.bench.control;

import io.dynims.cli.stack.StackException;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.LoopRecorder;
import io.dynims.experiments.demo.MemorySampler;
import io.dynims.experiments.demo.NodeBudget;
import io.dynims.experiments.demo.Readers;
import io.dynims.experiments.demo.Sizing;
import io.dynims.experiments.demo.TierLoad;
import io.dynims.experiments.demo.UtilizationTrace;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;

/**
 * Brings the node to where every run of a load starts: a budget of what other programs use and a
 * full tier, the law and its threshold in force, the tier filled with what is read, and both
 * capacity and memory steady.
 */
final class StartingPoint {

  /**
   * The start of a run.
   *
   * @param readableBytes how much data is read through the tier
   * @param reached whether everything was as it should be
   */
  record Start(Sizing sizing, long readableBytes, boolean reached) {}

  static final long TICK_MILLIS = 100;

  private static final long REST_MILLIS = 2_000;
  private static final long EVICT_MILLIS = 30_000;
  private static final long REACH_MILLIS = 45_000;
  private static final long STEADY_MILLIS = 2_000;

  /** The master may miss a block or two that were cached at the same time. */
  private static final int LEFT_ITEMS = 4;

  /** The pace of the demo's readers. */
  private static final long STEADY_BYTES_PER_SECOND = 96L << 20;

  /** The part of M by which capacity and memory in use may differ from where they should be. */
  private static final double TOLERANCE = 0.015;

  private final long tierMaxBytes;
  private final NodeBudget budget;
  private final LoopRecorder loop;
  private final MemorySampler node;
  private final TierLoad data;
  private final Readers readers;
  private final PrintStream progress;

  StartingPoint(
      long tierMaxBytes,
      NodeBudget budget,
      LoopRecorder loop,
      MemorySampler node,
      TierLoad data,
      Readers readers,
      PrintStream progress) {
    this.tierMaxBytes = tierMaxBytes;
    this.budget = budget;
    this.loop = loop;
    this.node = node;
    this.data = data;
    this.readers = readers;
    this.progress = progress;
  }

  /**
   * Goes there, with a second budget if other programs' memory changed meanwhile, and says so if it
   * does not get there.
   *
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  Start reach(LawType law, ControlLoad load) throws Exception {
    Start start = tryToReach(law, load);
    return start.reached() ? start : tryToReach(law, load);
  }

  private Start tryToReach(LawType law, ControlLoad load) throws Exception {
    // Lets the readers release what they use only while reading.
    readers.pace(0);
    TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
    int blocks = readableBlocks(load);
    boolean whole = blocks == data.items();
    if (!whole) {
      evictAll();
    }
    Sizing sizing = budget.set(law, load.threshold());
    if (!whole) {
      loadFirst(blocks);
    }
    readers.limitTo(blocks);
    Start start = new Start(sizing, (long) blocks * data.itemBytes(), true);
    boolean reached =
        Await.until(
            REACH_MILLIS,
            TICK_MILLIS,
            () -> {
              keepFull(start);
              return loop.isTierFull(start.readableBytes()) && isSteady(load, sizing, whole);
            });
    if (!reached) {
      progress.println(
          "  not at its starting point after " + REACH_MILLIS / 1_000 + " s: " + state(sizing));
    }
    return new Start(sizing, start.readableBytes(), reached);
  }

  /** Reads at a steady rate, or without a limit while the tier has room. */
  void keepFull(Start start) {
    boolean full = loop.isTierFull(start.readableBytes());
    readers.pace(full ? STEADY_BYTES_PER_SECOND : Readers.UNLIMITED);
  }

  private int readableBlocks(ControlLoad load) {
    double blocks = load.readableRatio() * tierMaxBytes / data.itemBytes();
    return (int) Math.max(1, Math.min(data.items(), Math.round(blocks)));
  }

  private void evictAll() throws Exception {
    data.evictAll();
    long leftBytes = (long) LEFT_ITEMS * data.itemBytes();
    boolean empty =
        Await.until(
            EVICT_MILLIS,
            TICK_MILLIS,
            () -> loop.lastAck().filter(a -> a.usedBytes() <= leftBytes).isPresent());
    if (!empty) {
      progress.println("  the tier was not emptied within " + EVICT_MILLIS / 1_000 + " s");
    }
  }

  private void loadFirst(int blocks) throws Exception {
    try (TierLoad.Session session = data.session()) {
      for (int block = 0; block < blocks; block++) {
        if (session.read(block) == TierLoad.Outcome.Wrong) {
          throw new StackException("block " + block + " was read with wrong bytes");
        }
      }
    }
  }

  /** A tier that is full holds the node at the threshold as well. */
  private boolean isSteady(ControlLoad load, Sizing sizing, boolean whole) {
    long now = System.currentTimeMillis();
    LongSummaryStatistics capacity =
        loop.acks(now - STEADY_MILLIS, now).stream()
            .mapToLong(Ack::capacityBytes)
            .summaryStatistics();
    double toleranceBytes = TOLERANCE * sizing.budgetBytes();
    boolean steady =
        capacity.getCount() > 0 && capacity.getMax() - capacity.getMin() <= toleranceBytes;
    double missedBytes = meanUsedBytes(now) - load.threshold() * sizing.budgetBytes();
    return steady && (!whole || Math.abs(missedBytes) <= toleranceBytes);
  }

  private double meanUsedBytes(long nowMillis) {
    List<UtilizationTrace.Sample> recent =
        node.trace().between(nowMillis - STEADY_MILLIS, nowMillis);
    return recent.stream().mapToLong(UtilizationTrace.Sample::usedBytes).average().orElse(0);
  }

  private String state(Sizing sizing) {
    return String.format(
        Locale.ROOT,
        "utilization %.4f, the tier holds %d of %d MiB",
        meanUsedBytes(System.currentTimeMillis()) / sizing.budgetBytes(),
        loop.lastAck().map(Ack::usedBytes).orElse(0L) >> 20,
        loop.lastAck().map(Ack::capacityBytes).orElse(0L) >> 20);
  }
}
