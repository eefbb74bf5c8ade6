package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Goals, tables and plots of the study. */
final class StudyFindings {

  private static final double DISTURBED_GOAL = 2;
  private static final double TMPFS_GOAL = 0.6;
  private static final int LARGE_BYTES = 1 << 20;

  private final StudyOptions options;
  private final StudyResults results;
  private final FioFindings fio;
  private final Map<String, String> probes;
  private final Map<NetCdfCell, CellResult> netCdf;

  StudyFindings(
      StudyOptions options,
      StudyResults results,
      Map<StudyCell, CellResult> byFio,
      Map<NetCdfCell, CellResult> netCdf,
      Map<String, String> probes) {
    this.probes = probes;
    this.fio = new FioFindings(results, byFio);
    this.options = options;
    this.results = results;
    this.netCdf = netCdf;
  }

  Findings findings() {
    return new Findings(
        "The tier, by each interface",
        Map.of(
            "options",
            options,
            "results",
            results.all(),
            "fio",
            fio.all(),
            "netCdf",
            netCdf.values(),
            "probes",
            probes),
        method(),
        goals(),
        tables(),
        new StudyFigures(options, results).figures());
  }

  private List<String> method() {
    return List.of(
        String.format(
            Locale.ROOT,
            "A tier of %s over a slow under store: a FUSE mount of %d MB/s and %d µs an access, which"
                + " the kernel does not cache. Alluxio with its defaults; MPICH.",
            Text.bytes(options.tierBytes()),
            options.rate(),
            options.latencyMicros()),
        "Each process reads or writes a file of its own of "
            + options.effort().mostBlocks()
            + " blocks, at most 128 MiB; with MPI-IO, its part of one file, and random blocks may come"
            + " twice. "
            + options.effort().repetitions()
            + " repetitions after one that loads the data and does not count; the median counts.",
        "All processes open together, then access, then close. The slowest one's time counts. Between"
            + " two operations, bytes are checked; that time does not count. MPI-IO's reads at rest"
            + " are compared with those of a run without the cache, by a checksum; while it is resized,"
            + " nothing checks them here.",
        "Alluxio's S3 API: a read is a request for a range, a write makes an object.",
        netCdf.isEmpty()
            ? "NetCDF-4: not measured."
            : "NetCDF-4: Open MPI; data of t:x:y:z with x of 16 rows a rank and y of 64, a time step an access;"
                + " with the cache by write-back.",
        "Cold: each repetition has files that Alluxio has not read before.",
        "While resizing: random reads of a file of "
            + Text.bytes(options.effort().hotBytes())
            + ", for "
            + options.effort().disturbedMillis() / 1000.0
            + " s each, by one process, which opens it anew for each pass; the rest of the tier is full"
            + " of other data. Pushes come ten times a second, down to half of the capacity in a second, and stay there, or swing.");
  }

  private List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    double slowest = 0;
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        slowest = Math.max(slowest, results.slowDown(kind, block, StudyState.Halved));
      }
    }
    if (slowest > 0) {
      goals.add(
          new Goal(
              "readers' p99 while the tier is halved, times that before, the most",
              "≤ 2",
              Percentiles.text(slowest),
              slowest <= DISTURBED_GOAL));
    }
    double share = shareOfTmpfs();
    if (share < Double.POSITIVE_INFINITY) {
      goals.add(
          new Goal(
              "Alluxio's client, sequential reads of 1 MiB and more, share of tmpfs, the least",
              "≥ 0.6",
              Percentiles.text(share),
              share >= TMPFS_GOAL));
    }
    int wrong = results.all().stream().mapToInt(CellResult::wrong).sum();
    goals.add(new Goal("blocks read with wrong bytes", "0", Integer.toString(wrong), wrong == 0));
    fio.goal().ifPresent(goals::add);
    return goals;
  }

  private double shareOfTmpfs() {
    double least = Double.POSITIVE_INFINITY;
    for (int block : options.blockBytes()) {
      double client = rate(AccessKind.Native, block);
      double limit = rate(AccessKind.Tmpfs, block);
      if (block >= LARGE_BYTES && client > 0 && limit > 0) {
        least = Math.min(least, client / limit);
      }
    }
    return least;
  }

  private double rate(AccessKind kind, int block) {
    return results
        .find(kind, "sequential read", block, 1, StudyState.Rest)
        .map(result -> result.rate(result.accessSeconds()))
        .orElse(0.0);
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    List<String> series =
        results.byCell().keySet().stream()
            .filter(cell -> !cell.state().isLasting())
            .map(StudyCell::series)
            .distinct()
            .toList();
    for (String each : series) {
      for (int processes : options.processes()) {
        tables.add(rates(each, processes));
      }
    }
    if (!netCdf.isEmpty()) {
      options.processes().forEach(processes -> tables.add(netCdf(processes)));
    }
    tables.add(operations());
    tables.add(whileResizing());
    tables.add(refused());
    if (!probes.isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      probes.forEach((tried, outcome) -> rows.add(List.of(tried, outcome)));
      tables.add(new Table("Writes on Alluxio's FUSE mount", List.of("written", "outcome"), rows));
    }
    fio.table().ifPresent(tables::add);
    return tables;
  }

  private List<String> head(String... first) {
    return Stream.concat(
            Stream.of(first), options.blockBytes().stream().map(block -> (block >> 10) + " KiB"))
        .toList();
  }

  private Table rates(String series, int processes) {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (StudyState state : List.of(StudyState.Rest, StudyState.Cold)) {
        List<Optional<CellResult>> row =
            options.blockBytes().stream()
                .map(block -> results.find(kind, series, block, processes, state))
                .toList();
        if (row.stream().anyMatch(Optional::isPresent)) {
          String label = kind.label() + (state == StudyState.Cold ? ", cold" : "");
          rows.add(
              Stream.concat(
                      Stream.of(label),
                      row.stream().map(r -> r.map(StudyFindings::rates).orElse("–")))
                  .toList());
        }
      }
    }
    String caption =
        series
            + ", "
            + processes
            + (processes == 1 ? " process" : " processes")
            + ", MiB/s: operations alone / with open and close";
    return new Table(caption, head("interface"), rows);
  }

  private Table netCdf(int processes) {
    List<List<String>> rows = new ArrayList<>();
    List<String> series = netCdf.keySet().stream().map(NetCdfCell::series).distinct().toList();
    for (String each : series) {
      for (boolean cached : List.of(false, true)) {
        List<String> row = new ArrayList<>(List.of(each + (cached ? ", cached" : "")));
        netCdf.forEach(
            (cell, result) -> {
              if (cell.series().equals(each)
                  && cell.cached() == cached
                  && cell.processes() == processes) {
                row.add(rates(result));
              }
            });
        rows.add(row);
      }
    }
    String caption =
        "NetCDF-4 on the under store, "
            + processes
            + (processes == 1 ? " process" : " processes")
            + ", MiB/s: operations alone / with open and close";
    return new Table(caption, head("access"), rows);
  }

  private static String rates(CellResult result) {
    return result.error() != null
        ? "refused"
        : Percentiles.text(result.rate(result.accessSeconds()))
            + " / "
            + Percentiles.text(result.rate(result.allSeconds()));
  }

  private Table operations() {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      List<String> row = new ArrayList<>(List.of(kind.label()));
      for (int block : options.blockBytes()) {
        row.add(
            results
                .find(kind, "random read", block, 1, StudyState.Rest)
                .map(StudyFindings::micros)
                .orElse("–"));
      }
      rows.add(row);
    }
    return new Table(
        "Single random reads, one process, µs: p50 / p99 / max", head("interface"), rows);
  }

  private static String micros(CellResult result) {
    return Stream.of(result.p50Micros(), result.p99Micros(), result.maxMicros())
        .map(Percentiles::text)
        .reduce((a, b) -> a + " / " + b)
        .orElseThrow();
  }

  private Table whileResizing() {
    List<List<String>> rows = new ArrayList<>();
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        List<String> row = new ArrayList<>(List.of(kind.label(), (block >> 10) + " KiB"));
        for (StudyState state :
            List.of(StudyState.Undisturbed, StudyState.Halved, StudyState.Swinging)) {
          row.add(results.disturbed(kind, block, state).map(StudyFindings::micros).orElse("–"));
        }
        for (StudyState state : List.of(StudyState.Halved, StudyState.Swinging)) {
          double slowDown = results.slowDown(kind, block, state);
          row.add(slowDown == 0 ? "–" : Percentiles.text(slowDown));
        }
        if (results.disturbed(kind, block, StudyState.Undisturbed).isPresent()) {
          rows.add(row);
        }
      }
    }
    return new Table(
        "While the tier is resized: random reads, µs: p50 / p99 / max, and how many times p99 is that"
            + " undisturbed",
        List.of(
            "interface", "block", "undisturbed", "halved", "swinging", "× halved", "× swinging"),
        rows);
  }

  private Table refused() {
    List<List<String>> rows = new ArrayList<>();
    results
        .byCell()
        .forEach(
            (cell, result) -> {
              if (result.error() != null) {
                rows.add(List.of(cell.id(), result.error()));
              }
            });
    return new Table("What an interface cannot do", List.of("cell", "what it says"), rows);
  }
}
