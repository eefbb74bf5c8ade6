package io.dynims.experiments.bench.control;

import io.dynims.core.wire.Ack;
import io.dynims.experiments.bench.Axis;
import io.dynims.experiments.bench.Figure;
import io.dynims.experiments.bench.LinePlot;
import io.dynims.experiments.bench.PlotColumn;
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
    ControlLoad load = runs.get(0).load();
    List<LinePlot.Series> utilization = new ArrayList<>();
    List<LinePlot.Series> tier = new ArrayList<>();
    for (ControlRun run : runs) {
      utilization.add(
          series(run, run.law().toString(), (from) -> peak(run, from) / run.budgetBytes()));
      tier.add(series(run, run.law() + ": capacity", at -> capacityBytes(run, at) / GIBIBYTE));
      tier.add(series(run, run.law() + ": held", at -> run.tier().usedBytesFrom(at) / GIBIBYTE));
    }
    ControlRun first = runs.get(0);
    tier.add(series(first, "load", at -> loadBytes(first, at) / GIBIBYTE));
    Axis seconds = Axis.linear("s");
    return new PlotColumn(
        load.key(),
        load.key() + ": " + load.text(),
        List.of(
            new LinePlot(
                "utilization",
                load.key() + ": memory in use / M, highest of each moment",
                seconds,
                Axis.linearFrom("memory in use / M", LEAST_UTILIZATION),
                utilization),
            new LinePlot(
                "tier",
                load.key() + ": the tier's capacity, what it holds, and the load",
                seconds,
                Axis.linear("GiB"),
                tier)));
  }

  private static LinePlot.Series series(ControlRun run, String label, LongToDoubleFunction value) {
    List<LinePlot.Point> points = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      long at = run.fromMillis() + i * pieceMillis(run);
      points.add(new LinePlot.Point((at - run.fromMillis()) / 1e3, value.applyAsDouble(at)));
    }
    return new LinePlot.Series(label, points);
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
