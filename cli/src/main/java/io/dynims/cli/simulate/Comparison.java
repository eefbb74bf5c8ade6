package io.dynims.cli.simulate;

import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.plot.PanelPlot;
import io.dynims.cli.stack.Text;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.Tick;
import io.dynims.simulation.TraceRecording;
import io.dynims.simulation.TraceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Several laws on the same trace, and what really happened. */
public final class Comparison {

  private static final List<String> HEAD =
      List.of(
          "LAW",
          "MAX. UTILIZATION",
          "ABOVE M",
          "ABOVE r0 + 1 %",
          "TIER HOLDS, MEAN",
          "EVICTED",
          "FILLED",
          "DIRECTION CHANGES");

  /** The figures of one law, or of what was {@code recorded}, as {@code -o json} prints them. */
  public record Row(
      String law,
      double maxUtilization,
      long aboveMemoryMillis,
      long aboveThresholdMillis,
      long meanTierBytes,
      long evictedBytes,
      long filledBytes,
      long directionChanges) {

    private static Row of(String law, SimulationSummary summary) {
      return new Row(
          law,
          summary.maxUtilization(),
          summary.aboveMemoryMillis(),
          summary.aboveThresholdMillis(),
          summary.meanTierBytes(),
          summary.totals().evictedBytes(),
          summary.totals().filledBytes(),
          summary.directionChanges());
    }

    private List<String> cells() {
      return List.of(
          law,
          String.format(Locale.ROOT, "%.4f", maxUtilization),
          seconds(aboveMemoryMillis),
          seconds(aboveThresholdMillis),
          Text.bytes(meanTierBytes),
          Text.bytes(evictedBytes),
          Text.bytes(filledBytes),
          Long.toString(directionChanges));
    }

    private static String seconds(long millis) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }
  }

  private final List<TraceRow> trace;
  private final SimulationOptions options;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> legend = new ArrayList<>();
  private final List<PanelPlot.Curve> utilization = new ArrayList<>();
  private final List<PanelPlot.Curve> memory = new ArrayList<>();
  private double threshold;

  /** A comparison on a trace, with no law yet. */
  public Comparison(List<TraceRow> trace, SimulationOptions options) {
    this.trace = List.copyOf(trace);
    this.options = options;
  }

  /** Runs a policy; all policies of a comparison have the same threshold. */
  public void run(Policy policy) {
    List<Tick> ticks = new ArrayList<>();
    new Simulation(policy, options).run(trace, ticks::add);
    threshold = policy.threshold();
    add(policy.law().name(), ticks);
  }

  /** Adds what really happened on the trace. */
  public void addRecorded(TraceRecording recording) {
    add("recorded", recording.ticks());
  }

  private void add(String name, List<Tick> ticks) {
    SimulationSummary summary = new SimulationSummary();
    List<LinePlot.Point> ratio = new ArrayList<>();
    List<LinePlot.Point> capacity = new ArrayList<>();
    List<LinePlot.Point> held = new ArrayList<>();
    for (Tick tick : ticks) {
      summary.add(tick);
      double begin = seconds(tick.row());
      double end = begin + tick.durationMillis() / 1e3;
      ratio.add(new LinePlot.Point(begin, tick.utilization()));
      capacity.add(new LinePlot.Point(end, tick.capacityBytes() / 1e9));
      held.add(new LinePlot.Point(end, tick.tierBytes() / 1e9));
    }
    int colour = rows.size();
    rows.add(Row.of(name, summary));
    legend.add(name);
    utilization.add(new PanelPlot.Curve(colour, false, ratio));
    memory.add(new PanelPlot.Curve(colour, true, capacity));
    memory.add(new PanelPlot.Curve(colour, false, held));
  }

  /** The figures of each law, in the order of the runs. */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** The figures as a table for people. */
  public List<String> table() {
    List<List<String>> cells = new ArrayList<>(List.of(HEAD));
    rows.forEach(row -> cells.add(row.cells()));
    return Text.table(cells);
  }

  /** Utilization, job memory and the tier of each law over time. */
  public Figure figure(String title) {
    List<String> names = new ArrayList<>(legend);
    names.add("job memory");
    List<PanelPlot.Curve> curves = new ArrayList<>(memory);
    curves.add(
        new PanelPlot.Curve(
            legend.size(),
            false,
            trace.stream()
                .map(row -> new LinePlot.Point(seconds(row), row.jobBytes() / 1e9))
                .toList()));
    return new PanelPlot(
        "comparison",
        title,
        "seconds",
        names,
        List.of(
            new PanelPlot.Panel(
                "utilization",
                List.of(new PanelPlot.Mark(threshold, "r0"), new PanelPlot.Mark(1, "M")),
                utilization),
            new PanelPlot.Panel("GB (tier: thick held, thin capacity)", List.of(), curves)));
  }

  private double seconds(TraceRow row) {
    return (row.millis() - trace.get(0).millis()) / 1e3;
  }
}
