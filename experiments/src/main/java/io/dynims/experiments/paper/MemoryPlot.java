package io.dynims.experiments.paper;

import static io.dynims.experiments.paper.PaperFigures.GIB;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import java.util.List;
import java.util.function.ToLongFunction;

/** Draws the node's memory over time. */
record MemoryPlot(String name, String title) {

  Figure of(RunResult run) {
    return new LinePlot(
        name,
        title,
        Axis.linear("s"),
        Axis.linear("GiB"),
        List.of(
            line("in use", run, RunResult.Sample::usedBytes),
            line("the tier's capacity", run, RunResult.Sample::capacityBytes),
            line("in the tier", run, RunResult.Sample::tierBytes),
            line("HPCC", run, RunResult.Sample::loadBytes)));
  }

  private static LinePlot.Series line(
      String label, RunResult run, ToLongFunction<RunResult.Sample> bytes) {
    return new LinePlot.Series(
        label,
        run.series().stream()
            .map(s -> new LinePlot.Point(s.millis() / 1e3, bytes.applyAsLong(s) / GIB))
            .toList());
  }
}
