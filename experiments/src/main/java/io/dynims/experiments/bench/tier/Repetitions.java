package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what the repetitions of a cell have measured. */
final class Repetitions {

  private static final double SLOWEST_SHARE = 0.01;

  private final StudyCell cell;
  private final List<Long> bytes = new ArrayList<>();
  private final List<Double> accessSeconds = new ArrayList<>();
  private final List<Double> allSeconds = new ArrayList<>();
  private final List<SlowAccess> slowest = new ArrayList<>();
  private float[] micros = new float[0];
  private int watched;
  private int wrong;
  private String error;

  Repetitions(StudyCell cell) {
    this.cell = cell;
  }

  /** Adds a repetition, of all processes; the slowest one counts. */
  void add(List<AccessOutcome> outcomes) {
    double access = 0;
    double all = 0;
    long operations = 0;
    for (AccessOutcome outcome : outcomes) {
      access = Math.max(access, outcome.accessSeconds());
      all = Math.max(all, outcome.openSeconds() + outcome.accessSeconds() + outcome.closeSeconds());
      operations += outcome.micros().length;
      wrong += outcome.wrong();
      error = error == null ? outcome.error() : error;
      keep(outcome.micros());
      slowest.addAll(outcome.slowest());
      watched += outcome.slowest().isEmpty() ? 0 : outcome.micros().length;
    }
    bytes.add(operations * cell.blockBytes());
    accessSeconds.add(access);
    allSeconds.add(all);
  }

  /**
   * Adds operations that were watched one by one, by one process. Their times count among those of
   * single operations, but not for the rate.
   */
  void addWatched(AccessOutcome outcome) {
    keep(outcome.micros());
    wrong += outcome.wrong();
    error = error == null ? outcome.error() : error;
    slowest.addAll(outcome.slowest());
    watched += outcome.micros().length;
  }

  /** Adds blocks that were read with wrong bytes while nothing was timed. */
  void addWrong(int blocks) {
    wrong += blocks;
  }

  private void keep(float[] more) {
    int begin = micros.length;
    micros = Arrays.copyOf(micros, begin + more.length);
    System.arraycopy(more, 0, micros, begin, more.length);
  }

  boolean hasFailed() {
    return error != null;
  }

  CellResult result() {
    return result(new HopNames(cell.kind(), List.of()));
  }

  /**
   * Everything as one result.
   *
   * @param names of the hops of slow operations
   */
  CellResult result(HopNames names) {
    Arrays.sort(micros);
    slowest.sort(Comparator.comparingDouble(SlowAccess::micros).reversed());
    Map<String, Integer> hops = new TreeMap<>();
    slowest.stream()
        .limit((long) Math.ceil(SLOWEST_SHARE * watched))
        .forEach(access -> hops.merge(names.of(access), 1, Integer::sum));
    return new CellResult(
        cell.id(),
        bytes,
        accessSeconds,
        allSeconds,
        CellResult.percentile(micros, 0.5),
        CellResult.percentile(micros, 0.99),
        CellResult.percentile(micros, 1),
        CellResult.density(micros),
        hops,
        slowest.isEmpty()
            ? ""
            : CellResult.slowestHop(slowest.get(0).micros(), names.of(slowest.get(0))),
        0,
        wrong,
        error);
  }
}
