package io.dynims.cli.simulate;

import io.dynims.cli.stack.Text;
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

  /** Steps of more than this many usual steps are gaps. */
  private static final long GAP_STEPS = 5;

  /** So many usual steps in a row are not downsampled. */
  private static final int DENSE_STEPS = 10;

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
            tier.startUsedBytes() == null ? first.tierUsedBytes() : tier.startUsedBytes()));
  }

  /** Writes the trace as CSV; with the demand if it is known anywhere. */
  public void print(PrintWriter out) {
    boolean demand = rows.stream().anyMatch(row -> row.demandBytes() != null);
    out.print(TraceRow.HEADER + (demand ? "," + TraceRow.DEMAND : "") + "\n");
    rows.forEach(row -> out.print((demand ? row.toCsvWithDemand() : row.toCsv()) + "\n"));
  }

  /**
   * Says how the trace differs from what was asked for.
   *
   * @param askedMillis the time span asked for; 0 if it was a number of decisions
   */
  public List<String> notes(long askedMillis, long nowMillis) {
    List<String> notes = new ArrayList<>();
    long firstMillis = rows.get(0).millis();
    long lastMillis = rows.get(rows.size() - 1).millis();
    notes.add(rows.size() + " rows of " + Text.millis(lastMillis - firstMillis));
    long reachMillis = nowMillis - firstMillis;
    if (askedMillis > 0 && reachMillis < askedMillis * 0.95) {
      notes.add(
          "less than asked for: the controller's history begins "
              + Text.millis(reachMillis)
              + " ago, not "
              + Text.millis(askedMillis));
    }
    long stepMillis = usualStepMillis();
    int dense = firstDense(stepMillis);
    if (dense > 0) {
      notes.add(
          "downsampled: the first "
              + dense
              + " rows, more than "
              + Text.millis(nowMillis - rows.get(dense).millis())
              + " ago, are two per half minute; later ones "
              + Text.millis(stepMillis)
              + " apart");
    }
    addGaps(notes, dense, stepMillis);
    if (withoutTierUse > 0) {
      notes.add(withoutTierUse + " decisions left out: they do not say what the tier held");
    }
    return notes;
  }

  private void addGaps(List<String> notes, int dense, long stepMillis) {
    long gaps = 0;
    long longestMillis = 0;
    for (int i = dense + 1; i < rows.size(); i++) {
      if (stepMillis(i) > GAP_STEPS * stepMillis) {
        gaps++;
        longestMillis = Math.max(longestMillis, stepMillis(i));
      }
    }
    if (gaps > 0) {
      notes.add(
          gaps
              + (gaps == 1 ? " gap of " : " gaps of up to ")
              + Text.millis(longestMillis)
              + ": a simulation takes the row before a gap for all of it");
    }
  }

  /** The first row of the part that is not downsampled; 0 if all is alike. */
  private int firstDense(long stepMillis) {
    int usual = 0;
    for (int i = 1; i < rows.size(); i++) {
      usual = stepMillis(i) <= GAP_STEPS * stepMillis ? usual + 1 : 0;
      if (usual == DENSE_STEPS) {
        return i - DENSE_STEPS;
      }
    }
    return 0;
  }

  /** The median step of the newest rows, which are never downsampled. */
  private long usualStepMillis() {
    List<Long> steps = new ArrayList<>();
    for (int i = Math.max(1, rows.size() - 100); i < rows.size(); i++) {
      steps.add(stepMillis(i));
    }
    steps.sort(null);
    return steps.isEmpty() ? 1 : steps.get(steps.size() / 2);
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
