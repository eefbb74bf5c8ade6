package io.dynims.torture.world;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.MemoryReading;
import io.dynims.simulation.Hash;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.SimulatedNode;
import io.dynims.simulation.SimulatedStore;
import io.dynims.simulation.VirtualTime;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.NodeSetup.Reporting;
import io.dynims.torture.plan.PlanDraw;
import java.util.function.Consumer;

/** The reader of a node's memory: samples it once an interval, a little early or late. */
final class Reader {

  private static final int PARTS = 6;
  private static final long JITTER_NANOS = 4_000_000;

  private final VirtualTime time;
  private final MachineClock clock;
  private final NodeSetup setup;
  private final SimulatedNode node;
  private final SimulatedStore first;
  private final long seed;
  private final Consumer<MemoryReading> out;
  private final SendOnDelta exceptions =
      new SendOnDelta(SendOnDelta.DEFAULT_TOLERANCE, SendOnDelta.DEFAULT_HEARTBEAT_MILLIS);
  private long number;

  Reader(
      VirtualTime time,
      MachineClock clock,
      NodeSetup setup,
      SimulatedNode node,
      SimulatedStore first,
      long seed,
      Consumer<MemoryReading> out) {
    this.time = time;
    this.clock = clock;
    this.setup = setup;
    this.node = node;
    this.first = first;
    this.seed = seed;
    this.out = out;
  }

  /** Begins; the nodes' readers do not sample at the same time. */
  void start() {
    time.afterNanos(
        (long) (PlanDraw.INTERVAL_MILLIS * 1_000_000 * Hash.unit(seed, -1)), this::tick);
  }

  private void tick() {
    time.after(PlanDraw.INTERVAL_MILLIS, this::tick);
    time.afterNanos((long) (JITTER_NANOS * Hash.unit(seed, number++)), this::sample);
  }

  private void sample() {
    if (setup.reporting() == Reporting.Stock) {
      sampleStock();
      return;
    }
    long usedBytes = node.usedBytes();
    MemoryReading sample =
        new MemoryReading(
            setup.name(),
            clock.millis(),
            MemoryReading.WHOLE,
            node.totalBytes(),
            node.totalBytes() - usedBytes,
            setup.measured()
                ? new MemoryReading.TierUse(setup.tiers().get(0).name(), first.toldBytes())
                : null,
            node.stalledMicros());
    boolean all = setup.reporting() == Reporting.EverySample;
    MemoryReading sent = all ? sample : exceptions.report(sample);
    if (sent != null) {
      out.accept(sent);
    }
  }

  /** The stock plugin counts the stores' memory, which is on tmpfs, as cache. */
  private void sampleStock() {
    long jobBytes = node.jobBytes();
    long freeBytes = node.totalBytes() - jobBytes;
    long millis = clock.millis();
    for (int part = 0; part < PARTS; part++) {
      long bytes = part == 0 ? jobBytes : part == 1 ? freeBytes : 0;
      out.accept(new MemoryReading(setup.name(), millis, 1 << part, bytes, part == 0 ? 0 : bytes));
    }
  }
}
