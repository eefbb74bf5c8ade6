package io.dynims.core.law;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A node of 4,096 units of memory with a full tier: the law in a loop of ticks of 100 ms. */
final class ForecastLoop {

  static final long TOTAL_BYTES = 4_096_000;
  static final long MAX_BYTES = 2_048_000;

  /** One decision and what it was made of. */
  record Tick(long jobBytes, long usedBytes, CapacityDecision decision) {

    double utilization() {
      return (double) (jobBytes + usedBytes) / TOTAL_BYTES;
    }
  }

  private final ControlLaw law;
  private final ArrayDeque<Long> decided = new ArrayDeque<>();
  private final Deque<Long> held = new ArrayDeque<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final NodeModel model = new NodeModel();
  private long nowMillis = 1_000_000;
  private long capacityBytes;
  private long usedBytes;

  /** How many ticks a decision takes to be in force; the law learns of it with the tier. */
  int delayTicks;

  /** How many ticks older than v the figure of what the tier holds is. */
  int usedLagTicks;

  /** What the tier holds for each byte of its capacity, as a store whose pages are fragmented. */
  double overhead = 1;

  long fillBytesPerTick = Long.MAX_VALUE;
  long demandBytes = Long.MAX_VALUE;

  ForecastLoop(ForecastParameters parameters, double threshold, long capacityBytes) {
    this.law = new ForecastLaw(new LawParameters(threshold, 0.75, 0, MAX_BYTES, parameters));
    this.capacityBytes = capacityBytes;
    this.usedBytes = capacityBytes;
  }

  static ForecastLoop at(double threshold, long capacityBytes) {
    return new ForecastLoop(ForecastParameters.defaults(100), threshold, capacityBytes);
  }

  /** A tick with this much memory in the hands of jobs. */
  Tick tick(long jobBytes) {
    held.add(usedBytes);
    if (held.size() > usedLagTicks + 1) {
      held.remove();
    }
    var input =
        new LawInput(
            capacityBytes,
            decided.isEmpty() ? capacityBytes : decided.peekLast(),
            Held.of(held.element()),
            Held.of(held.element()),
            0,
            0,
            jobBytes + usedBytes,
            0,
            TOTAL_BYTES,
            Double.NaN,
            nowMillis);
    CapacityDecision decision = law.decide(input, model);
    Tick tick = new Tick(jobBytes, usedBytes, decision);
    ticks.add(tick);
    nowMillis += 100;
    decided.add(decision.desiredBytes());
    if (decided.size() > delayTicks) {
      capacityBytes = decided.remove();
    }
    long goalBytes = Math.min(Math.round(capacityBytes * overhead), demandBytes);
    long roomBytes = goalBytes - usedBytes;
    usedBytes = roomBytes > fillBytesPerTick ? usedBytes + fillBytesPerTick : goalBytes;
    return tick;
  }

  Tick ticks(int count, long jobBytes) {
    for (int i = 1; i < count; i++) {
      tick(jobBytes);
    }
    return tick(jobBytes);
  }

  List<Tick> all() {
    return ticks;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long usedBytes() {
    return usedBytes;
  }
}
