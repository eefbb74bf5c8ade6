package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The study's figures beside fio's of the same cells. */
final class FioFindings {

  private static final double TOLERANCE = 0.1;

  private final StudyResults results;
  private final Map<StudyCell, CellResult> byFio;

  FioFindings(StudyResults results, Map<StudyCell, CellResult> byFio) {
    this.results = results;
    this.byFio = byFio;
  }

  Collection<CellResult> all() {
    return byFio.values();
  }

  Optional<Goal> goal() {
    double farthest = 1;
    for (Map.Entry<StudyCell, CellResult> each : byFio.entrySet()) {
      double ratio = ratio(each.getKey(), each.getValue());
      farthest = Math.abs(ratio - 1) > Math.abs(farthest - 1) ? ratio : farthest;
    }
    return byFio.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Goal.figure(
                "MiB/s of operations alone, times fio's, the farthest from 1",
                "0.9 to 1.1",
                Percentiles.text(farthest),
                Math.abs(farthest - 1) <= TOLERANCE));
  }

  private double ratio(StudyCell cell, CellResult fio) {
    return rate(results.byCell().get(cell)) / rate(fio);
  }

  private static double rate(CellResult result) {
    return result.rate(result.accessSeconds());
  }

  Optional<Table> table() {
    List<List<String>> rows = new ArrayList<>();
    byFio.forEach(
        (cell, fio) ->
            rows.add(
                List.of(
                    cell.kind().label(),
                    cell.series(),
                    (cell.blockBytes() >> 10) + " KiB",
                    Percentiles.text(rate(results.byCell().get(cell))),
                    Percentiles.text(rate(fio)),
                    Percentiles.text(ratio(cell, fio)))));
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Table(
                "Checked by fio: MiB/s of operations alone",
                List.of("interface", "access", "block", "this command", "fio", "times"),
                rows));
  }
}
