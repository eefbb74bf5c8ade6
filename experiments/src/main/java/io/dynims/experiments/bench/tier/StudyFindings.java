package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Goals, tables and plots of the study. */
final class StudyFindings {

  private static final double DISTURBED_GOAL = 2;
  private static final double TMPFS_GOAL = 0.6;
  private static final int LARGE_BYTES = 1 << 20;

  private final StudyOptions options;
  private final StudyResults results;
  private final FioFindings fio;
  private final FailureFindings failures;
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
    this.failures = new FailureFindings(results, probes);
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
        new StudyFigures(options, results, netCdf).figures());
  }

  private List<String> method() {
    StudyEffort effort = options.effort();
    List<String> method = new ArrayList<>();
    method.add(
        String.format(
            Locale.ROOT,
            "A tier of %s over a slow under store: a FUSE mount of %d MB/s and %d µs an access, which"
                + " the kernel does not cache. Alluxio with its defaults, but for blocks of %s and a"
                + " mount with %s; MPICH.",
            Text.bytes(options.tierBytes()),
            options.rate(),
            options.latencyMicros(),
            Text.bytes(options.alluxioBlockBytes()),
            options.mount().label()));
    if (options.parts().contains(StudyPart.Rest)) {
      method.add(
          "Each process reads or writes a file of its own of "
              + effort.mostBlocks()
              + " blocks, at most 64 MiB and all files of a cell together at most a quarter of the tier;"
              + " with MPI-IO, its part of one file, and random blocks may come twice.");
      method.add(
          String.format(
              Locale.ROOT,
              "After passes that load the data, warm the programs up and check every byte, each cell has"
                  + " %d repetitions, but only %d if they take longer than %d s; the median counts. A"
                  + " repetition opens, accesses and closes the file again until %d ms are over, and"
                  + " checks eight bytes of each 512. With MPI-IO it is one pass, and a checksum must be"
                  + " that of the same reads without the cache.",
              effort.repetitions(),
              effort.leastRepetitions(),
              effort.cellMillis() / 1_000,
              effort.passMillis()));
      method.add(
          "All processes open together, then access, then close. The slowest one's time counts. What"
              + " happens between two operations does not.");
      method.add("Alluxio's S3 API: a read is a request for a range, a write makes an object.");
      method.add(
          netCdf.isEmpty()
              ? "NetCDF-4: not measured."
              : "NetCDF-4: Open MPI; data of t:x:y:z with x of 16 rows a rank and y of 64, a time step an"
                  + " access; with the cache by write-back. Every value that is read is checked.");
      method.add("Cold: each repetition has files that Alluxio has not read before.");
      method.add(
          "fio reads the same files as often, after each repetition of this command, by pread into a"
              + " buffer that begins at a page, without hints.");
    }
    if (options.parts().contains(StudyPart.Nodes)) {
      method.add(
          "Nodes are network namespaces joined by a bridge; they share this machine's processors. With"
              + " MPI-IO each has a cache of its own. Alluxio is on a node of its own, so that its clients"
              + " do not read its blocks by themselves.");
    }
    if (options.parts().contains(StudyPart.Resizing)) {
      method.add(resizing(effort));
    }
    return method;
  }

  private static String resizing(StudyEffort effort) {
    return String.format(
        Locale.ROOT,
        "While resizing: random reads of a file of %s by one process, %d passes of %.0f s for each state,"
            + " after one that does not count; the file is opened anew each time, the rest of the tier is"
            + " full of other data, every byte is checked, percentiles are means of the passes'. The second"
            + " half of all passes comes in the opposite order of the first: undisturbed, halved within a"
            + " second, swinging, loop, loop, swinging, halved, undisturbed. Halved and swinging: this"
            + " benchmark pushes ten times a second. Loop: collectd, Kafka, Flink and the controller run,"
            + " too, by the default law or by equation 1, on a node that is calm or beside a job that takes"
            + " half of the tier's memory within a second and keeps it.",
        Text.bytes(effort.hotBytes()),
        effort.rounds(),
        effort.disturbedMillis() / 1e3);
  }

  private List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    addTail(goals, StudyState.Halved, "while the tier is halved");
    addTail(goals, StudyState.BurstForecast, "while a burst halves it, by the default law");
    addTail(goals, StudyState.BurstFeedback, "while a burst halves it, by equation 1");
    double share = shareOf(AccessKind.TmpfsHeap);
    if (share < Double.POSITIVE_INFINITY) {
      goals.add(
          Goal.figure(
              "Alluxio's client, sequential reads of 1 MiB and more, share of tmpfs read into Java's"
                  + " heap, the least",
              "≥ 0.6",
              Percentiles.text(share),
              share >= TMPFS_GOAL));
    }
    goals.add(wrongBytes());
    goals.add(failures.goal());
    fio.goal().ifPresent(goals::add);
    return goals;
  }

  private Goal wrongBytes() {
    Map<String, Integer> wrong = wrongByCell();
    long blocks = wrong.values().stream().mapToLong(Integer::longValue).sum();
    long cells = wrong.values().stream().filter(count -> count > 0).count();
    return Goal.mustHold(
        "blocks read with wrong bytes",
        "0",
        blocks + (cells == 0 ? " in " : " in " + cells + " of ") + wrong.size() + " cells",
        blocks == 0 && !wrong.isEmpty());
  }

  /** Of all cells that read. */
  private Map<String, Integer> wrongByCell() {
    Map<String, Integer> wrong = new LinkedHashMap<>();
    results
        .byCell()
        .forEach(
            (cell, result) -> {
              if (!cell.write()) {
                wrong.put(cell.id(), result.wrong());
              }
            });
    netCdf.forEach(
        (cell, result) -> {
          if (!cell.write()) {
            wrong.put(cell.id(), result.wrong());
          }
        });
    return wrong;
  }

  private Table wrongTable() {
    return new Table(
        "Blocks read with wrong bytes",
        List.of("cell", "blocks"),
        wrongByCell().entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .map(each -> List.of(each.getKey(), each.getValue().toString()))
            .toList());
  }

  private void addTail(List<Goal> goals, StudyState state, String when) {
    double slowest = 0;
    for (AccessKind kind : options.kinds()) {
      for (int block : options.blockBytes()) {
        slowest = Math.max(slowest, results.tail(kind, block, state));
      }
    }
    if (slowest > 0) {
      goals.add(
          Goal.figure(
              "readers' p99 " + when + ", times that undisturbed, the most",
              "≤ 2",
              Percentiles.text(slowest),
              slowest <= DISTURBED_GOAL));
    }
  }

  private double shareOf(AccessKind limit) {
    double least = Double.POSITIVE_INFINITY;
    for (int block : options.blockBytes()) {
      double client = rate(AccessKind.Native, block);
      double most = rate(limit, block);
      if (block >= LARGE_BYTES && client > 0 && most > 0) {
        least = Math.min(least, client / most);
      }
    }
    return least;
  }

  private double rate(AccessKind kind, int block) {
    return results.rate(kind, "sequential read", block, options.fewestProcesses());
  }

  private List<Table> tables() {
    StudyTables study = new StudyTables(options, results, netCdf);
    List<Table> tables = new ArrayList<>(study.rates());
    tables.addAll(study.operations());
    tables.addAll(new ResizeTables(options, results).tables());
    tables.add(new PaperComparison(options, results, netCdf).table());
    tables.add(wrongTable());
    tables.add(failures.table());
    if (!probes.isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      probes.forEach((tried, outcome) -> rows.add(List.of(tried, outcome)));
      tables.add(new Table("Writes on Alluxio's FUSE mount", List.of("written", "outcome"), rows));
    }
    fio.table().ifPresent(tables::add);
    return tables.stream().filter(table -> !table.rows().isEmpty()).toList();
  }
}
