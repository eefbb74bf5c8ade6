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

  Optional<CellResult> find(
      AccessKind kind, String series, int blockBytes, int processes, StudyState state) {
    return results.entrySet().stream()
        .filter(
            each ->
                each.getKey().kind() == kind
                    && each.getKey().series().equals(series)
                    && each.getKey().blockBytes() == blockBytes
                    && each.getKey().processes() == processes
                    && each.getKey().state() == state)
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /**
   * How many times the p99 of random reads is that of an undisturbed tier; 0 if it was not
   * measured.
   */
  double slowDown(AccessKind kind, int block, StudyState state) {
    Optional<CellResult> before = disturbed(kind, block, StudyState.Undisturbed);
    Optional<CellResult> meanwhile = disturbed(kind, block, state);
    return before.isEmpty() || meanwhile.isEmpty() || before.get().p99Micros() == 0
        ? 0
        : meanwhile.get().p99Micros() / before.get().p99Micros();
  }

  Optional<CellResult> disturbed(AccessKind kind, int block, StudyState state) {
    return find(kind, "random read", block, 1, state);
  }
}
