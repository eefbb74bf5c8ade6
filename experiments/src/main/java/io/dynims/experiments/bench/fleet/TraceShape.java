package io.dynims.experiments.bench.fleet;

import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.cli.simulate.TraceReader;
import io.dynims.cli.stack.StackException;
import io.dynims.simulation.TraceRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Every node repeats one trace, each from a moment of its own, so that all phases of the trace are
 * present in the fleet at any time.
 */
final class TraceShape implements JobShape {

  /** By tick of the trace. */
  private final long[] jobBytes;

  /** By node. */
  private final long[] shiftTicks;

  /**
   * A shape from rows.
   *
   * @param rows at least two, in order; scaled to the memory of a simulated node
   */
  TraceShape(List<TraceRow> rows, int count, long seed) {
    long firstMillis = rows.get(0).millis();
    long durationMillis = rows.get(rows.size() - 1).millis() - firstMillis;
    jobBytes = new long[Math.max(1, (int) (durationMillis / SyntheticTrace.TICK_MILLIS))];
    int row = 0;
    for (int tick = 0; tick < jobBytes.length; tick++) {
      long millis = firstMillis + tick * SyntheticTrace.TICK_MILLIS;
      while (rows.get(row + 1).millis() <= millis) {
        row++;
      }
      double share = (double) rows.get(row).jobBytes() / rows.get(row).totalBytes();
      jobBytes[tick] = (long) (share * ModelNodes.TOTAL_BYTES);
    }
    shiftTicks = new Random(seed).longs(count, 0, jobBytes.length).toArray();
  }

  /**
   * A shape from a file.
   *
   * @throws StackException if it is no trace of two rows or more
   */
  static TraceShape read(Path file, int count, long seed) throws StackException, IOException {
    try (TraceReader reader = TraceReader.open(file)) {
      List<TraceRow> rows = reader.rest();
      if (rows.size() < 2) {
        throw new StackException(file + ": has fewer than two rows");
      }
      return new TraceShape(rows, count, seed);
    } catch (InputException e) {
      throw new StackException(e.getMessage(), e);
    }
  }

  @Override
  public long jobBytes(int node, long nowMillis) {
    long tick = nowMillis / SyntheticTrace.TICK_MILLIS + shiftTicks[node];
    return jobBytes[(int) (tick % jobBytes.length)];
  }
}
