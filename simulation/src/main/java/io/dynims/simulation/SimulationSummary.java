package io.dynims.simulation;

import io.dynims.core.law.Action;

/** Sums a simulation up in the few figures by which policies are compared. */
public final class SimulationSummary {

  /** A node this far above its threshold has left the set point, not just the last digit of it. */
  private static final double MARGIN = 0.01;

  private long ticks;
  private long aboveThreshold;
  private long aboveMemory;
  private long aboveThresholdMillis;
  private long aboveMemoryMillis;
  private double maxUtilization;
  private double heldByteMillis;
  private double capacityByteMillis;
  private double millis;
  private long directionChanges;
  private Action lastMove = Action.Hold;
  private Tick.Totals totals = new Tick.Totals(0, 0, 0, 0);

  /** Takes a tick into account. */
  public void add(Tick tick) {
    ticks++;
    totals = tick.totals();
    maxUtilization = Math.max(maxUtilization, tick.utilization());
    if (tick.utilization() > tick.threshold()) {
      aboveThreshold++;
    }
    if (tick.utilization() > tick.threshold() + MARGIN) {
      aboveThresholdMillis += tick.durationMillis();
    }
    if (tick.utilization() > 1) {
      aboveMemory++;
      aboveMemoryMillis += tick.durationMillis();
    }
    heldByteMillis += (double) tick.tierBytes() * tick.durationMillis();
    capacityByteMillis += (double) tick.capacityBytes() * tick.durationMillis();
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

  /** How many ticks there were. */
  public long ticks() {
    return ticks;
  }

  /** How many ticks began above the threshold. */
  public long aboveThreshold() {
    return aboveThreshold;
  }

  /** How many ticks began with more in use than there is. */
  public long aboveMemory() {
    return aboveMemory;
  }

  /** How long the node used more than 1 % of M above the threshold, in milliseconds. */
  public long aboveThresholdMillis() {
    return aboveThresholdMillis;
  }

  /** How long more was in use than there is, in milliseconds. */
  public long aboveMemoryMillis() {
    return aboveMemoryMillis;
  }

  /** What the tier held, averaged over time, in bytes. */
  public long meanTierBytes() {
    return millis == 0 ? 0 : Math.round(heldByteMillis / millis);
  }

  /** The capacity in force, averaged over time, in bytes. */
  public long meanCapacityBytes() {
    return millis == 0 ? 0 : Math.round(capacityByteMillis / millis);
  }

  /** How often growing turned into shrinking or the other way round. */
  public long directionChanges() {
    return directionChanges;
  }

  /** What happened from the beginning to the end. */
  public Tick.Totals totals() {
    return totals;
  }
}
