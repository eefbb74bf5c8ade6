package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What the nodes of a fleet do, and how they report it.
 *
 * @param movingRatio the share of the nodes that move at a time, in [0, 1]; null if all do
 * @param trace a file with the trace that every node repeats; null for bursts
 * @param byException whether the nodes report by exception; otherwise they send every sample
 * @param ownConnections whether each node has its own connection to the broker, like collectd;
 *     otherwise all share one
 */
public record FleetLoad(
    Double movingRatio, Path trace, boolean byException, boolean ownConnections) {

  private static final long SEED = 1;

  /** Every node moves and sends every sample over a shared connection. */
  static final FleetLoad ALL_MOVE = new FleetLoad(null, null, false, false);

  /**
   * The memory of the nodes' jobs.
   *
   * @throws StackException if the trace cannot be used
   */
  JobShape shape(int count) throws StackException, IOException {
    if (trace != null) {
      return TraceShape.read(trace, count, SEED);
    }
    return movingRatio == null
        ? BurstShape.ofAll(count, SEED)
        : BurstShape.ofSome(count, SEED, movingRatio);
  }

  /**
   * Whether the tiers are full at the start, as where only the control plane is new. Otherwise all
   * of them fill meanwhile, and every node moves.
   */
  boolean isInUse() {
    return movingRatio != null || trace != null;
  }

  /** The trace's name; null if there is none. */
  String traceName() {
    return trace == null ? null : trace.getFileName().toString().replaceFirst("\\.csv$", "");
  }

  /** What the jobs do, in a sentence. */
  String text() {
    if (trace != null) {
      return "The jobs of each node repeat the trace "
          + traceName()
          + ", each from a moment of its own.";
    }
    if (movingRatio == null) {
      return "The jobs of each node use memory in bursts, one in each period of 10 to 60 s.";
    }
    return String.format(
        Locale.ROOT,
        "A job runs on %d nodes, and %.3g %% of the jobs have a burst in each period of 10 to 60 s,"
            + " on all of their nodes at once; the others are calm.",
        BurstShape.NODES_PER_JOB,
        100 * movingRatio);
  }
}
