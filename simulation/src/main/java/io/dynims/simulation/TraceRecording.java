package io.dynims.simulation;

import io.dynims.core.wire.Target;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A trace made from a tier's decisions: {@code jobBytes} is v without what the tier held.
 *
 * <p>A tier that is not full and has not grown for ten seconds shows what its data set occupies;
 * only there is the demand known. Elsewhere it is left empty.
 */
public final class TraceRecording {

  private static final long STEADY_MILLIS = 10_000;
  private static final double FULL = 0.99;

  private final List<TraceRow> rows = new ArrayList<>();

  /** The decision behind each row. */
  private final List<Target> recorded = new ArrayList<>();

  private final int withoutTierUse;

  /**
   * Makes the trace.
   *
   * @param decisions of one tier, in any order
   */
  public TraceRecording(List<Target> decisions) {
    List<Target> known =
        decisions.stream()
            .filter(d -> d.tierUsedBytes() != null)
            .sorted(Comparator.comparingLong(Target::sampledMillis))
            .toList();
    withoutTierUse = decisions.size() - known.size();
    List<Target> steady = new ArrayList<>();
    for (Target decision : known) {
      // A tier that holds for want of metrics repeats the sample before.
      if (!rows.isEmpty() && rows.get(rows.size() - 1).millis() == decision.sampledMillis()) {
        continue;
      }
      recorded.add(decision);
      rows.add(
          new TraceRow(
              decision.sampledMillis(),
              Math.max(0, decision.memoryUsedBytes() - decision.tierUsedBytes()),
              decision.memoryTotalBytes(),
              demand(steady, decision)));
    }
  }

  /** How many decisions were left out, because they do not say what the tier held. */
  public int withoutTierUse() {
    return withoutTierUse;
  }

  /** The rows, oldest first. */
  public List<TraceRow> rows() {
    return List.copyOf(rows);
  }

  /**
   * What really happened, in the form of a simulation's result. What the tier held less, for
   * whatever reason, counts as evicted, and what it held more as filled.
   */
  public List<Tick> ticks() {
    List<Tick> ticks = new ArrayList<>();
    long evictedBytes = 0;
    long filledBytes = 0;
    long durationMillis = 0;
    for (int i = 0; i < rows.size(); i++) {
      Target decision = recorded.get(i);
      Target next = recorded.get(Math.min(i + 1, rows.size() - 1));
      durationMillis = i + 1 < rows.size() ? stepMillis(i + 1) : durationMillis;
      long growthBytes = next.tierUsedBytes() - decision.tierUsedBytes();
      evictedBytes += Math.max(0, -growthBytes);
      filledBytes += Math.max(0, growthBytes);
      ticks.add(
          new Tick(
              rows.get(i),
              decision,
              next.previousBytes(),
              next.tierUsedBytes(),
              decision.utilization(),
              decision.threshold() == null ? 1 : decision.threshold(),
              durationMillis,
              new Tick.Totals(evictedBytes, filledBytes, 0, i + 1)));
    }
    return ticks;
  }

  /** The options with the tier starting as it did, unless they say otherwise. */
  public SimulationOptions startingAsRecorded(SimulationOptions options) {
    SimulationOptions.Tier tier = options.tier();
    Target first = recorded.get(0);
    return options.withTier(
        new SimulationOptions.Tier(
            tier.rates(),
            tier.demand(),
            tier.lockedBytes(),
            tier.startBytes() == null ? first.previousBytes() : tier.startBytes(),
            tier.startUsedBytes() == null ? first.tierUsedBytes() : tier.startUsedBytes(),
            tier.answerMillis()));
  }

  /** Writes the trace as CSV; with the demand if it is known anywhere. */
  public void print(PrintWriter out) {
    boolean demand = rows.stream().anyMatch(row -> row.demandBytes() != null);
    out.print(TraceRow.HEADER + (demand ? "," + TraceRow.DEMAND : "") + "\n");
    rows.forEach(row -> out.print((demand ? row.toCsvWithDemand() : row.toCsv()) + "\n"));
  }

  private long stepMillis(int i) {
    return rows.get(i).millis() - rows.get(i - 1).millis();
  }

  /** What the tier held, if that is all its data set asks for; else null. */
  private static Long demand(List<Target> steady, Target decision) {
    long used = decision.tierUsedBytes();
    boolean full = used >= FULL * decision.previousBytes();
    boolean grown = !steady.isEmpty() && used > steady.get(steady.size() - 1).tierUsedBytes();
    if (full || grown) {
      steady.clear();
    }
    steady.add(decision);
    boolean known =
        !full && decision.sampledMillis() - steady.get(0).sampledMillis() >= STEADY_MILLIS;
    return known ? decision.tierUsedBytes() : null;
  }
}
