package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables of reads while a tier is resized. */
final class ResizeTables {

  private final StudyOptions options;
  private final StudyResults results;
  private final List<StudyState> states;

  ResizeTables(StudyOptions options, StudyResults results) {
    this.options = options;
    this.results = results;
    this.states =
        Stream.of(StudyState.values())
            .filter(state -> results.byCell().keySet().stream().anyMatch(c -> c.state() == state))
            .filter(StudyState::isLasting)
            .toList();
  }

  List<Table> tables() {
    List<Table> tables =
        List.of(
            table(
                "While the tier is resized: random reads, µs: p50 / p99 / max",
                states,
                this::micros),
            table(
                "While the tier is resized: how many times the mean / the p99 is that undisturbed",
                states.stream().filter(state -> state != StudyState.Undisturbed).toList(),
                this::times),
            table(
                "Least capacity of the tier meanwhile, share of its maximum",
                states,
                this::capacity),
            hops());
    return tables.stream().filter(table -> !table.rows().isEmpty()).toList();
  }

  private Table table(
      String caption, List<StudyState> columns, Function<StudyCell, Optional<String>> text) {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        if (results.disturbed(kind, block, StudyState.Undisturbed).isPresent()) {
          List<String> row = new ArrayList<>(List.of(kind.label(), StudyTables.size(block)));
          columns.forEach(state -> row.add(text.apply(cell(kind, block, state)).orElse("–")));
          rows.add(row);
        }
      }
    }
    List<String> head = new ArrayList<>(List.of("interface", "block"));
    columns.forEach(state -> head.add(state.label()));
    return new Table(caption, head, rows);
  }

  private static StudyCell cell(AccessKind kind, int block, StudyState state) {
    return new StudyCell(kind, false, true, false, block, 1, 0, state);
  }

  private Optional<CellResult> find(StudyCell cell) {
    return results.disturbed(cell.kind(), cell.blockBytes(), cell.state());
  }

  private Optional<String> micros(StudyCell cell) {
    return find(cell).map(StudyTables::micros);
  }

  private Optional<String> times(StudyCell cell) {
    double mean = results.slowDown(cell.kind(), cell.blockBytes(), cell.state());
    double tail = results.tail(cell.kind(), cell.blockBytes(), cell.state());
    return mean == 0
        ? Optional.empty()
        : Optional.of(Percentiles.text(mean) + " / " + Percentiles.text(tail));
  }

  private Optional<String> capacity(StudyCell cell) {
    return find(cell)
        .filter(result -> result.leastCapacityBytes() > 0)
        .map(
            result ->
                String.format(
                    Locale.ROOT,
                    "%.2f",
                    result.leastCapacityBytes() / (double) options.tierBytes()));
  }

  private Table hops() {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        for (StudyState state : states) {
          results
              .disturbed(kind, block, state)
              .ifPresent(
                  result ->
                      StudyTables.addHops(
                          rows,
                          List.of(kind.label(), StudyTables.size(block), state.label()),
                          result));
        }
      }
    }
    return new Table(
        "Where the slowest hundredth of reads spent its time while the tier is resized, at most 100 a pass",
        List.of("interface", "block", "tier", "how many at which hop", "the slowest"),
        rows);
  }
}
