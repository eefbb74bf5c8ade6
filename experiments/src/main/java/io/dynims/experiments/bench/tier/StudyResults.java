package io.dynims.experiments.bench.tier;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The results of all cells, to look them up. */
final class StudyResults {

  private final Map<StudyCell, CellResult> results;

  StudyResults(Map<StudyCell, CellResult> results) {
    this.results = results;
  }

  Map<StudyCell, CellResult> byCell() {
    return results;
  }

  Collection<CellResult> all() {
    return results.values();
  }

  /** The result of processes where the tier is. */
  Optional<CellResult> find(
      AccessKind kind, String series, int blockBytes, int processes, StudyState state) {
    return results.entrySet().stream()
        .filter(
            each ->
                each.getKey().kind() == kind
                    && each.getKey().series().equals(series)
                    && each.getKey().blockBytes() == blockBytes
                    && each.getKey().processes() == processes
                    && each.getKey().nodes() == 0
                    && each.getKey().state() == state)
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The result of several nodes, with a process on each. */
  Optional<CellResult> find(AccessKind kind, String series, int blockBytes, int nodes) {
    return results.entrySet().stream()
        .filter(
            each ->
                each.getKey().kind() == kind
                    && each.getKey().series().equals(series)
                    && each.getKey().blockBytes() == blockBytes
                    && each.getKey().nodes() == nodes)
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** MiB/s of operations alone at rest; 0 if that was not measured or refused. */
  double rate(AccessKind kind, String series, int blockBytes, int processes) {
    return find(kind, series, blockBytes, processes, StudyState.Rest)
        .map(result -> result.rate(result.accessSeconds()))
        .orElse(0.0);
  }

  /**
   * How many times the p99 of random reads is that of an undisturbed tier; 0 if it was not
   * measured.
   */
  double tail(AccessKind kind, int block, StudyState state) {
    double before = disturbed(kind, block, StudyState.Undisturbed, CellResult::p99Micros);
    return before == 0 ? 0 : disturbed(kind, block, state, CellResult::p99Micros) / before;
  }

  /** The same of the mean time of a read. */
  double slowDown(AccessKind kind, int block, StudyState state) {
    Figure mean = result -> result.meanMicros(block);
    double before = disturbed(kind, block, StudyState.Undisturbed, mean);
    return before == 0 ? 0 : disturbed(kind, block, state, mean) / before;
  }

  /** A figure of a result. */
  private interface Figure {
    double of(CellResult result);
  }

  private double disturbed(AccessKind kind, int block, StudyState state, Figure figure) {
    return disturbed(kind, block, state).map(figure::of).orElse(0.0);
  }

  Optional<CellResult> disturbed(AccessKind kind, int block, StudyState state) {
    return find(kind, "random read", block, 1, state);
  }
}
