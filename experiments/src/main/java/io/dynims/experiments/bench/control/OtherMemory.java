package io.dynims.experiments.bench.control;

import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.UtilizationTrace;
import java.util.List;
import java.util.LongSummaryStatistics;

/**
 * The memory that neither the tier nor the load holds. If it moves much during a run, something
 * else on the machine took part in it.
 */
final class OtherMemory {

  /** Means over this time even out that the three are not read at the same instant. */
  private static final long WINDOW_MILLIS = 1_000;

  private OtherMemory() {}

  /** The difference between its highest and its lowest value, in bytes. */
  static long rangeBytes(ControlRun run) {
    LongSummaryStatistics others = new LongSummaryStatistics();
    for (long from = run.fromMillis();
        from + WINDOW_MILLIS <= run.toMillis();
        from += WINDOW_MILLIS) {
      List<UtilizationTrace.Sample> node = run.node().between(from, from + WINDOW_MILLIS);
      if (!node.isEmpty()) {
        others.accept(
            meanBytes(node)
                - meanBytes(run.tier().between(from, from + WINDOW_MILLIS))
                - meanLoadBytes(run.reports(), from));
      }
    }
    return others.getCount() == 0 ? 0 : others.getMax() - others.getMin();
  }

  private static long meanBytes(List<UtilizationTrace.Sample> samples) {
    return (long)
        samples.stream().mapToLong(UtilizationTrace.Sample::usedBytes).average().orElse(0);
  }

  private static long meanLoadBytes(List<LoadProcess.Report> reports, long fromMillis) {
    double byteMillis = 0;
    for (int i = 0; i < reports.size(); i++) {
      long begin = Math.max(fromMillis, reports.get(i).millis());
      long nextMillis =
          i + 1 < reports.size() ? reports.get(i + 1).millis() : fromMillis + WINDOW_MILLIS;
      long end = Math.min(fromMillis + WINDOW_MILLIS, nextMillis);
      byteMillis += (double) reports.get(i).bytes() * Math.max(0, end - begin);
    }
    return (long) (byteMillis / WINDOW_MILLIS);
  }
}
