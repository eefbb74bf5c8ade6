package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of rates at rest and on several nodes, and of single operations. */
final class StudyTables {

  private static final List<String> SERIES =
      List.of("sequential read", "random read", "sequential write", "random write");

  private final StudyOptions options;
  private final StudyResults results;
  private final Map<NetCdfCell, CellResult> netCdf;

  StudyTables(StudyOptions options, StudyResults results, Map<NetCdfCell, CellResult> netCdf) {
    this.options = options;
    this.results = results;
    this.netCdf = netCdf;
  }

  List<Table> rates() {
    List<Table> tables = new ArrayList<>();
    List<String> all =
        results.byCell().keySet().stream()
            .filter(cell -> !cell.state().isLasting() && cell.nodes() == 0)
            .map(StudyCell::series)
            .distinct()
            .toList();
    for (String each : all) {
      for (int processes : options.processes()) {
        tables.add(rates(each, processes));
      }
    }
    if (results.byCell().keySet().stream().anyMatch(cell -> cell.nodes() > 0)) {
      SERIES.forEach(each -> tables.add(nodes(each)));
    }
    netCdf.keySet().stream()
        .map(NetCdfCell::processes)
        .distinct()
        .forEach(processes -> tables.add(netCdf(processes)));
    return tables.stream().filter(table -> !table.rows().isEmpty()).toList();
  }

  private List<String> head(String first) {
    return Stream.concat(Stream.of(first), options.blockBytes().stream().map(StudyTables::size))
        .toList();
  }

  static String size(int block) {
    return (block >> 10) + " KiB";
  }

  private static String processes(int count) {
    return count + (count == 1 ? " process" : " processes");
  }

  private Table rates(String series, int processes) {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (StudyState state : List.of(StudyState.Rest, StudyState.Cold)) {
        List<Optional<CellResult>> row =
            options.blockBytes().stream()
                .map(block -> results.find(kind, series, block, processes, state))
                .toList();
        add(rows, kind.label() + (state == StudyState.Cold ? ", cold" : ""), row);
      }
    }
    String caption =
        series + ", " + processes(processes) + ", MiB/s: operations alone / with open and close";
    return new Table(caption, head("interface"), rows);
  }

  private static void add(List<List<String>> rows, String label, List<Optional<CellResult>> row) {
    if (row.stream().anyMatch(Optional::isPresent)) {
      rows.add(
          Stream.concat(
                  Stream.of(label), row.stream().map(r -> r.map(StudyTables::rates).orElse("–")))
              .toList());
    }
  }

  private Table nodes(String series) {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (int nodes : options.nodes()) {
        List<Optional<CellResult>> row =
            options.blockBytes().stream()
                .map(block -> results.find(kind, series, block, nodes))
                .toList();
        add(rows, kind.label() + ", " + nodes + (nodes == 1 ? " node" : " nodes"), row);
      }
      StudyPlan.whyNoNodes(kind)
          .ifPresent(
              why ->
                  rows.add(
                      Stream.concat(
                              Stream.of(kind.label() + ", " + why),
                              options.blockBytes().stream().map(block -> "–"))
                          .toList()));
    }
    return new Table(
        series + " on nodes, a process on each, MiB/s: operations alone / with open and close",
        head("interface"),
        rows);
  }

  private Table netCdf(int processes) {
    List<List<String>> rows = new ArrayList<>();
    List<String> all = netCdf.keySet().stream().map(NetCdfCell::series).distinct().toList();
    for (String each : all) {
      for (boolean cached : List.of(false, true)) {
        List<Optional<CellResult>> row =
            options.blockBytes().stream()
                .map(block -> netCdf(each, cached, processes, block))
                .toList();
        add(rows, each + (cached ? ", cached" : ""), row);
      }
    }
    return new Table(
        "NetCDF-4 on the under store, "
            + processes(processes)
            + ", MiB/s: operations alone / with open and close",
        head("access"),
        rows);
  }

  private Optional<CellResult> netCdf(String series, boolean cached, int processes, int block) {
    return netCdf.entrySet().stream()
        .filter(
            each ->
                each.getKey().series().equals(series)
                    && each.getKey().cached() == cached
                    && each.getKey().processes() == processes
                    && each.getKey().blockBytes() == block)
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static String rates(CellResult result) {
    return result.error() != null
        ? "refused"
        : Percentiles.text(result.rate(result.accessSeconds()))
            + " / "
            + Percentiles.text(result.rate(result.allSeconds()));
  }

  /** Single random reads, and where the slowest ones spent their time. */
  List<Table> operations() {
    List<List<String>> times = new ArrayList<>();
    List<List<String>> hops = new ArrayList<>();
    int processes = options.fewestProcesses();
    for (AccessKind kind : options.kinds()) {
      List<String> row = new ArrayList<>(List.of(kind.label()));
      for (int block : options.blockBytes()) {
        Optional<CellResult> found =
            results.find(kind, "random read", block, processes, StudyState.Rest);
        row.add(found.map(StudyTables::micros).orElse("–"));
        found.ifPresent(result -> addHops(hops, List.of(kind.label(), size(block)), result));
      }
      if (row.stream().anyMatch(each -> each.contains("/"))) {
        times.add(row);
      }
    }
    return Stream.of(
            new Table(
                "Single random reads, " + processes(processes) + ", µs: p50 / p99 / max",
                head("interface"),
                times),
            new Table(
                "Where the slowest hundredth of single random reads spent its time, at most 100",
                List.of("interface", "block", "how many at which hop", "the slowest"),
                hops))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  static void addHops(List<List<String>> rows, List<String> names, CellResult result) {
    if (!result.hops().isEmpty()) {
      String counts =
          result.hops().entrySet().stream()
              .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
              .map(hop -> hop.getValue() + " " + hop.getKey())
              .collect(Collectors.joining("; "));
      rows.add(Stream.concat(names.stream(), Stream.of(counts, result.slowestHop())).toList());
    }
  }

  static String micros(CellResult result) {
    return Stream.of(result.p50Micros(), result.p99Micros(), result.maxMicros())
        .map(Percentiles::text)
        .collect(Collectors.joining(" / "));
  }
}
