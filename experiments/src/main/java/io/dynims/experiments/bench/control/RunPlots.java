package io.dynims.experiments.bench.control;

import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.plot.PanelPlot;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.UtilizationTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/** Draws a load under each law: utilization above, tier and load below. */
final class RunPlots {

  private static final int POINTS = 400;
  private static final double LEAST_UTILIZATION = 0.8;
  private static final double GIBIBYTE = 1L << 30;

  private RunPlots() {}

  /**
   * One figure.
   *
   * @param runs a run of each law, of one load
   */
  static Figure figure(List<ControlRun> runs) {
    ControlRun first = runs.get(0);
    List<String> legend = new ArrayList<>();
    List<PanelPlot.Curve> utilization = new ArrayList<>();
    List<PanelPlot.Curve> tier = new ArrayList<>();
    for (ControlRun run : runs) {
      int colour = legend.size();
      legend.add(run.law() + ": memory in use; capacity");
      legend.add(run.law() + ": what the tier holds");
      utilization.add(curve(colour, run, at -> peak(run, at) / run.budgetBytes()));
      tier.add(curve(colour, run, at -> capacityBytes(run, at) / GIBIBYTE));
      tier.add(curve(colour + 1, run, at -> run.tier().usedBytesFrom(at) / GIBIBYTE));
    }
    tier.add(curve(legend.size(), first, at -> loadBytes(first, at) / GIBIBYTE));
    legend.add("load");
    return new PanelPlot(
        first.load().key(),
        first.load().key(),
        "s",
        legend,
        List.of(
            new PanelPlot.Panel(
                "memory in use / M, highest of each moment",
                LEAST_UTILIZATION,
                List.of(new PanelPlot.Mark(first.threshold(), "r0"), new PanelPlot.Mark(1, "M")),
                utilization),
            new PanelPlot.Panel("GiB", List.of(), tier)));
  }

  private static PanelPlot.Curve curve(int colour, ControlRun run, LongToDoubleFunction value) {
    List<LinePlot.Point> points = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      long at = run.fromMillis() + i * pieceMillis(run);
      points.add(new LinePlot.Point((at - run.fromMillis()) / 1e3, value.applyAsDouble(at)));
    }
    return new PanelPlot.Curve(colour, false, points);
  }

  private static long pieceMillis(ControlRun run) {
    return Math.max(1, (run.toMillis() - run.fromMillis()) / POINTS);
  }

  /** A peak between two points would be lost otherwise. */
  private static double peak(ControlRun run, long fromMillis) {
    UtilizationTrace node = run.node();
    long toMillis = fromMillis + pieceMillis(run);
    return Math.max(node.usedBytesFrom(fromMillis), node.maxUsedBytes(fromMillis, toMillis));
  }

  private static long capacityBytes(ControlRun run, long atMillis) {
    long bytes = run.acks().isEmpty() ? 0 : run.acks().get(0).capacityBytes();
    for (Ack ack : run.acks()) {
      if (ack.appliedMillis() <= atMillis) {
        bytes = ack.capacityBytes();
      }
    }
    return bytes;
  }

  private static long loadBytes(ControlRun run, long atMillis) {
    long bytes = 0;
    for (LoadProcess.Report report : run.reports()) {
      if (report.millis() <= atMillis) {
        bytes = report.bytes();
      }
    }
    return bytes;
  }
}
