package io.dynims.experiments.paper;

import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.TraceReader;
import io.dynims.experiments.demo.LoadProfile;
import io.dynims.simulation.TraceRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The memory of HPCC over time, as it was recorded, made to fit an experiment. */
public final class HpccTrace {

  /** Smaller changes are left out: a profile is an argument list. */
  private static final double STEP_RATIO = 0.002;

  private final List<TraceRow> rows = new ArrayList<>();
  private final String name;

  private HpccTrace(String name) {
    this.name = name;
  }

  /** Reads the trace. */
  public static HpccTrace read(Path file) throws IOException, InputException {
    HpccTrace trace = new HpccTrace(file.getFileName().toString().replace(".csv", ""));
    try (TraceReader reader = TraceReader.open(file)) {
      trace.rows.addAll(reader.rest());
    }
    return trace;
  }

  /**
   * A piece of the trace, at its own pace.
   *
   * @param peakBytes what the whole trace's greatest memory becomes
   * @param fromMillis since the trace's start
   * @param afterIteration the load starts when the job has ended this iteration
   */
  HpccLoad load(long peakBytes, long fromMillis, long toMillis, int afterIteration) {
    String piece = "-" + fromMillis / 1_000 + "s-" + toMillis / 1_000 + "s";
    return new HpccLoad(
        name + piece + "-after-" + afterIteration,
        profile(peakBytes, fromMillis, toMillis),
        afterIteration);
  }

  LoadProfile profile(long peakBytes, long fromMillis, long toMillis) {
    // The least is what runs beside HPCC: the agent, the worker.
    long least = rows.stream().mapToLong(TraceRow::jobBytes).min().orElseThrow();
    long most = rows.stream().mapToLong(TraceRow::jobBytes).max().orElseThrow() - least;
    long firstMillis = rows.get(0).millis() + fromMillis;
    List<LoadProfile.Point> points = new ArrayList<>();
    points.add(new LoadProfile.Point(0, 0));
    LoadProfile.Point left = null;
    for (TraceRow row : rows) {
      long millis = row.millis() - firstMillis;
      if (millis < 0 || millis > toMillis - fromMillis) {
        continue;
      }
      LoadProfile.Point point =
          new LoadProfile.Point(
              millis, Math.round((double) (row.jobBytes() - least) * peakBytes / most));
      LoadProfile.Point kept = points.get(points.size() - 1);
      if (Math.abs(point.bytes() - kept.bytes()) > STEP_RATIO * peakBytes) {
        // Without the last point of a plateau its end would be a slope.
        if (left != null) {
          points.add(left);
        }
        points.add(point);
        left = null;
      } else {
        left = point;
      }
    }
    points.add(new LoadProfile.Point(toMillis - fromMillis, 0));
    return new LoadProfile(points);
  }
}
