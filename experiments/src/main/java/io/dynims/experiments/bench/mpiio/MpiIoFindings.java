package io.dynims.experiments.bench.mpiio;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Goals, tables and plots of the measurements. */
final class MpiIoFindings {

  private static final double FITS_GOAL = 100;
  private static final double TOO_LARGE_GOAL = 0.9;
  private static final double OFF_GOAL_MICROS = 1;
  private static final int SMALL_BYTES = 1024;

  private final MpiIoOptions options;
  private final boolean apart;
  private final List<MpiIoMeasurement> measurements;

  /**
   * Findings.
   *
   * @param apart whether nodes are network namespaces
   */
  MpiIoFindings(MpiIoOptions options, boolean apart, List<MpiIoMeasurement> measurements) {
    this.options = options;
    this.apart = apart;
    this.measurements = List.copyOf(measurements);
  }

  Findings findings() {
    return new Findings(
        "The cache under MPI-IO",
        Map.of("options", options, "measurements", measurements),
        method(),
        goals(),
        tables(),
        figures());
  }

  private List<String> method() {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s; %d ranks on 2 processors unless stated; a file of %s behind a FUSE mount of %d MB/s"
                + " and %d µs an access, which the kernel does not cache.",
            options.mpi().equals("mpich") ? "MPICH" : "Open MPI",
            options.ranks().get(0),
            Text.bytes(options.fileBytes()),
            options.rate(),
            options.latencyMicros()),
        "Times are of the slowest rank, between barriers; each figure is the median of "
            + options.repetitions()
            + " runs.",
        "The cache is warm where the file fits: reads by write-through, the series over chunks by"
            + " write-back, whose time to flush is in that of closing the file.",
        "Simulated NVRAM: each access takes 600 ns more, each store 2 µs more, at 9.5 GB/s.",
        "Nodes are caches of their own with their own agents, one rank each and empty at first, "
            + (apart ? "in network namespaces joined by a bridge" : "on loopback")
            + "; each loads the file on open, or its part of a file that is cut, whose other parts it"
            + " asks their owners for.",
        "Random writes of small chunks leave as many pieces to write when the file is closed; the"
            + " kernel gives such a mount one write of a file at a time.",
        "All runs of a program must have read the same bytes: checksums are compared where the runs"
            + " with and without the cache have as many accesses.");
  }

  private List<Goal> goals() {
    double fits = faster("fits", MpiIoSetup.CACHED, MpiIoRun::microsPerAccess);
    double large = faster("too large", MpiIoSetup.CACHED, MpiIoRun::microsPerAccess);
    double off =
        micros("off", MpiIoSetup.CACHED, MpiIoRun::microsPerAccess)
            - micros("off", MpiIoSetup.PLAIN, MpiIoRun::microsPerAccess);
    List<String> dense = List.of("read", "random read", "write");
    double small = leastFaster(dense, SMALL_BYTES, MpiIoRun::microsPerAccessInAll);
    double sparse =
        leastFaster(List.of("random write"), SMALL_BYTES, MpiIoRun::microsPerAccessInAll);
    double all = leastFaster(MpiIoBench.SERIES, Integer.MAX_VALUE, MpiIoRun::microsPerAccess);
    return List.of(
        goal("random reads of 16 KiB, file fits, times faster", "≥ 100", fits, fits >= FITS_GOAL),
        goal(
            "the same, file four times the cache, times faster",
            "≥ 0.9",
            large,
            large >= TOO_LARGE_GOAL),
        goal("cost of a call for a path without cache, µs", "≤ 1", off, off <= OFF_GOAL_MICROS),
        goal(
            "chunks ≤ 1 KiB with open and close, times faster, the least", "> 1", small, small > 1),
        goal("the same, written at random", "> 1", sparse, sparse > 1),
        goal("all chunks without them, times faster, the least", "> 1", all, all > 1),
        sameResults());
  }

  private static Goal goal(String figure, String goal, double measured, boolean met) {
    return Goal.figure(figure, goal, String.format(Locale.ROOT, "%.2f", measured), met);
  }

  private Goal sameResults() {
    long compared = 0;
    long different = 0;
    for (MpiIoMeasurement each : measurements) {
      if (each.setup() != MpiIoSetup.PLAIN && !each.name().contains("write")) {
        Optional<MpiIoMeasurement> plain =
            measurement(each.name().replace(MpiIoBench.CUT, ""), MpiIoSetup.PLAIN)
                .filter(other -> other.run().accesses() == each.run().accesses());
        Set<String> checksums = new HashSet<>(each.checksums());
        plain.ifPresent(other -> checksums.addAll(other.checksums()));
        compared += plain.isPresent() ? 1 : 0;
        different += checksums.size() > 1 ? 1 : 0;
      }
    }
    return Goal.none("programs whose result depends on the cache", different, compared);
  }

  /** How many times faster the cache is at least, over all chunks up to a size. */
  private double leastFaster(
      List<String> series, int mostBytes, ToDoubleFunction<MpiIoRun> micros) {
    return MpiIoBench.CHUNKS.stream()
        .filter(chunk -> chunk <= mostBytes)
        .flatMap(chunk -> series.stream().map(each -> each + " " + chunk))
        .mapToDouble(name -> faster(name, MpiIoSetup.CACHED, micros))
        .min()
        .orElse(0);
  }

  private double faster(String name, MpiIoSetup setup, ToDoubleFunction<MpiIoRun> micros) {
    return micros(name, MpiIoSetup.PLAIN, micros) / micros(name, setup, micros);
  }

  private double micros(String name, MpiIoSetup setup, ToDoubleFunction<MpiIoRun> micros) {
    return find(name, setup).map(micros::applyAsDouble).orElse(Double.NaN);
  }

  private Optional<MpiIoRun> find(String name, MpiIoSetup setup) {
    return measurement(name, setup).map(MpiIoMeasurement::run);
  }

  private Optional<MpiIoMeasurement> measurement(String name, MpiIoSetup setup) {
    return measurements.stream()
        .filter(each -> each.name().equals(name) && each.setup() == setup)
        .findFirst();
  }

  private List<Table> tables() {
    return List.of(
        table(
            "Reads of 16 KiB at random, µs an access",
            List.of("fits", "too large", "off"),
            MpiIoRun::microsPerAccess),
        table("Chunks, µs an access without open and close", chunks(), MpiIoRun::microsPerAccess),
        table("Chunks, µs an access with open and close", chunks(), MpiIoRun::microsPerAccessInAll),
        table(
            "Search in a map of so many bytes, µs an access with open and close",
            names("map ", MpiIoBench.MAPS),
            MpiIoRun::microsPerAccessInAll),
        table(
            "Random walk of so many steps a rank, µs a step with open and close",
            names("walk ", MpiIoBench.WALKS),
            MpiIoRun::microsPerAccessInAll),
        table(
            "Reads of 16 KiB at random by ranks, µs an access",
            names("ranks ", options.ranks()),
            MpiIoRun::microsPerAccess),
        table(
            "Random walk from empty caches over nodes, µs a step with open and close",
            options.nodes().stream()
                .flatMap(n -> List.of("nodes " + n, "nodes " + n + MpiIoBench.CUT).stream())
                .toList(),
            MpiIoRun::microsPerAccessInAll));
  }

  private static List<String> chunks() {
    return MpiIoBench.SERIES.stream()
        .flatMap(series -> names(series + " ", MpiIoBench.CHUNKS).stream())
        .toList();
  }

  private static List<String> names(String prefix, List<?> values) {
    return values.stream().map(value -> prefix + value).toList();
  }

  private Table table(String caption, List<String> names, ToDoubleFunction<MpiIoRun> micros) {
    List<String> head = new ArrayList<>(List.of("run"));
    Arrays.stream(MpiIoSetup.values()).map(MpiIoSetup::label).forEach(head::add);
    head.add("times faster");
    return new Table(
        caption, head, names.stream().distinct().map(name -> row(name, micros)).toList());
  }

  private List<String> row(String name, ToDoubleFunction<MpiIoRun> micros) {
    List<String> row = new ArrayList<>(List.of(name));
    for (MpiIoSetup setup : MpiIoSetup.values()) {
      row.add(text(micros(name, setup, micros), "%.2f"));
    }
    row.add(text(faster(name, MpiIoSetup.CACHED, micros), "%.1f"));
    return row;
  }

  private static String text(double value, String format) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value);
  }

  private List<Figure> figures() {
    return List.of(
        plot("random read", "Reads at random, µs an access", "bytes", MpiIoRun::microsPerAccess),
        plot(
            "write",
            "Writes one after the other, µs an access with open and close",
            "bytes",
            MpiIoRun::microsPerAccessInAll),
        plot("map", "Search in a map, µs an access", "bytes", MpiIoRun::microsPerAccessInAll),
        plot("walk", "Random walk, µs a step", "steps", MpiIoRun::microsPerAccessInAll));
  }

  private Figure plot(String program, String title, String x, ToDoubleFunction<MpiIoRun> micros) {
    List<LinePlot.Series> series =
        Arrays.stream(MpiIoSetup.values())
            .map(setup -> new LinePlot.Series(setup.label(), points(program, setup, micros)))
            .toList();
    return new LinePlot(program.replace(' ', '-'), title, Axis.log(x), Axis.log("µs"), series);
  }

  private List<LinePlot.Point> points(
      String program, MpiIoSetup setup, ToDoubleFunction<MpiIoRun> micros) {
    return measurements.stream()
        .filter(each -> each.setup() == setup && each.name().startsWith(program + " "))
        .map(
            each ->
                new LinePlot.Point(
                    Double.parseDouble(each.name().substring(program.length() + 1)),
                    micros.applyAsDouble(each.run())))
        .filter(Objects::nonNull)
        .toList();
  }
}
