package io.dynims.cli.simulate;

import io.dynims.cli.stack.Text;
import io.dynims.core.law.Action;
import java.util.List;
import java.util.Locale;

/** Sums a simulation up in the few figures by which policies are compared. */
public final class SimulationSummary {

  private long ticks;
  private long aboveThreshold;
  private long aboveMemory;
  private double maxUtilization;
  private double heldByteMillis;
  private double millis;
  private long directionChanges;
  private Action lastMove = Action.Hold;

  /** Takes a tick into account. */
  public void add(Tick tick) {
    ticks++;
    maxUtilization = Math.max(maxUtilization, tick.utilization());
    if (tick.utilization() > tick.threshold()) {
      aboveThreshold++;
    }
    if (tick.utilization() > 1) {
      aboveMemory++;
    }
    heldByteMillis += (double) tick.tierBytes() * tick.durationMillis();
    millis += tick.durationMillis();
    Action action = tick.decision() == null ? Action.Hold : tick.decision().action();
    if (action != Action.Hold) {
      if (lastMove != Action.Hold && action != lastMove) {
        directionChanges++;
      }
      lastMove = action;
    }
  }

  /** The highest utilization of the node. */
  public double maxUtilization() {
    return maxUtilization;
  }

  /** How many ticks began above the threshold. */
  public long aboveThreshold() {
    return aboveThreshold;
  }

  /** How many ticks began with more in use than there is. */
  public long aboveMemory() {
    return aboveMemory;
  }

  /** What the tier held, averaged over time, in bytes. */
  public long meanTierBytes() {
    return millis == 0 ? 0 : Math.round(heldByteMillis / millis);
  }

  /** How often growing turned into shrinking or the other way round. */
  public long directionChanges() {
    return directionChanges;
  }

  /** For people. */
  public List<String> lines() {
    return List.of(
        String.format(Locale.ROOT, "ticks                     %d", ticks),
        String.format(Locale.ROOT, "maximum utilization       %.4f", maxUtilization),
        String.format(Locale.ROOT, "ticks above the threshold %d", aboveThreshold),
        String.format(Locale.ROOT, "ticks above all memory    %d", aboveMemory),
        String.format(
            Locale.ROOT,
            "tier holds, on average    %d bytes (%s)",
            meanTierBytes(),
            Text.bytes(meanTierBytes())),
        String.format(Locale.ROOT, "direction changes         %d", directionChanges));
  }
}
