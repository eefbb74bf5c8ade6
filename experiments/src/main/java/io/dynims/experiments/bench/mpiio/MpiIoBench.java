package io.dynims.experiments.bench.mpiio;

import io.dynims.experiments.bench.Findings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the programs of the study of a cache under MPI-IO, on a slow file system and on a fast one,
 * with and without the cache.
 */
public final class MpiIoBench {

  static final List<Integer> CHUNKS = List.of(1, 16, 256, 1024, 16_384, 131_072, 1 << 20);
  static final int RANDOM_BYTES = 16_384;

  /** Map sizes: the side's square is the size of the file. */
  static final List<Long> MAPS = List.of(16L << 10, 100L << 10, 1L << 20, 16L << 20, 64L << 20);

  static final List<Integer> WALKS = List.of(10, 100, 1_000, 10_000);

  /** Reads first: what is written without the cache makes its blocks old. */
  static final List<String> SERIES = List.of("read", "random read", "write", "random write");

  /** Behind the name of a program that reads a file that is cut over nodes. */
  static final String CUT = " cut";

  private static final long SERIES_BYTES = 4 << 20;
  private static final int MOST_ACCESSES = 2_000;
  private static final int LEAST_ACCESSES = 20;
  private static final int RANDOM_ACCESSES = 2_000;
  private static final int WARM_ACCESSES = 20_000;
  private static final int SEARCHES = 20;
  private static final int COLD_STEPS = 10_000;

  private final Path built;
  private final Path scratch;
  private final MpiIoOptions options;
  private final PrintStream progress;
  private final List<MpiIoMeasurement> measurements = new ArrayList<>();

  /**
   * A benchmark that starts nothing yet.
   *
   * @param built the folder with the programs of {@code mpiio-cache}
   * @param scratch a folder that does not exist, on a local disk
   */
  public MpiIoBench(Path built, Path scratch, MpiIoOptions options, PrintStream progress) {
    this.built = built;
    this.scratch = scratch;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs everything.
   *
   * @throws IOException if a program cannot be started or fails; the message has what it printed
   */
  public Findings run() throws IOException, InterruptedException {
    if (!Files.exists(built.resolve("dynims-mpiio-agent"))) {
      throw new IOException(built + " has no programs: run mpiio-cache/build first");
    }
    boolean apart;
    try (MpiPrograms programs = new MpiPrograms(built, scratch, options)) {
      programs.startSlowFileSystem();
      programs.make(programs.local().resolve("file"), options.fileBytes());
      programs.startAgents(1, 2 * options.fileBytes());
      randomReads(programs);
      passedThrough(programs);
      chunks(programs);
      maps(programs);
      walks(programs);
      ranks(programs);
      programs.startAgents(1, options.fileBytes() / 4);
      tooLarge(programs);
      nodes(programs);
      apart = programs.hasNamespaces();
    }
    return new MpiIoFindings(options, apart, measurements).findings();
  }

  /** Small random reads when the file fits: first to load it, then of a warm cache. */
  private void randomReads(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.slowly().resolve("file");
    warm(programs, file);
    measure(programs, "fits", MpiIoSetup.PLAIN, blocks(file, "read", "random", RANDOM_BYTES, 300));
    for (MpiIoSetup setup : List.of(MpiIoSetup.CACHED, MpiIoSetup.NVRAM)) {
      measure(programs, "fits", setup, blocks(file, "read", "random", RANDOM_BYTES, WARM_ACCESSES));
    }
  }

  /** The same on the local disk, for whose path the cache is off. */
  private void passedThrough(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.local().resolve("file");
    List<String> reads = blocks(file, "read", "random", RANDOM_BYTES, WARM_ACCESSES);
    measure(programs, "off", MpiIoSetup.PLAIN, reads);
    measureWith(
        programs, "off", MpiIoSetup.CACHED, Map.of("DYNIMS_MPIIO_PATHS", "/nowhere"), reads);
  }

  /** Reads and writes of all sizes, with and without opening and closing the file. */
  private void chunks(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.slowly().resolve("file");
    for (String series : SERIES) {
      String pattern = series.startsWith("random ") ? "random" : "sequential";
      String operation = series.replace("random ", "");
      for (int chunk : CHUNKS) {
        long count = Math.max(LEAST_ACCESSES, Math.min(MOST_ACCESSES, SERIES_BYTES / chunk));
        String name = series + " " + chunk;
        List<String> arguments = blocks(file, operation, pattern, chunk, count);
        measure(programs, name, MpiIoSetup.PLAIN, arguments);
        Map<String, String> writeBack = Map.of("DYNIMS_MPIIO_MODE", "write-back");
        measureWith(programs, name, MpiIoSetup.CACHED, writeBack, arguments);
        measureWith(programs, name, MpiIoSetup.NVRAM, writeBack, arguments);
      }
    }
  }

  private void maps(MpiPrograms programs) throws IOException, InterruptedException {
    for (long bytes : MAPS) {
      programs.make(programs.local().resolve("map" + bytes), bytes);
      Path file = programs.slowly().resolve("map" + bytes);
      for (MpiIoSetup setup : MpiIoSetup.values()) {
        measure(programs, "map " + bytes, setup, arguments("map", file, SEARCHES));
      }
    }
  }

  private void walks(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.slowly().resolve("file");
    for (int steps : WALKS) {
      for (MpiIoSetup setup : MpiIoSetup.values()) {
        measure(programs, "walk " + steps, setup, arguments("walk", file, steps));
      }
    }
  }

  private void ranks(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.slowly().resolve("file");
    for (int ranks : options.ranks()) {
      for (MpiIoSetup setup : List.of(MpiIoSetup.PLAIN, MpiIoSetup.CACHED)) {
        long count = setup == MpiIoSetup.PLAIN ? 300 : WARM_ACCESSES;
        List<String> arguments = blocks(file, "read", "random", RANDOM_BYTES, count);
        add(programs, "ranks " + ranks, setup, ranks, Map.of(), arguments);
      }
    }
  }

  /** Random reads of a file four times as large as the cache. */
  private void tooLarge(MpiPrograms programs) throws IOException, InterruptedException {
    Path file = programs.slowly().resolve("file");
    for (MpiIoSetup setup : List.of(MpiIoSetup.PLAIN, MpiIoSetup.CACHED)) {
      measure(
          programs,
          "too large",
          setup,
          blocks(file, "read", "random", RANDOM_BYTES, RANDOM_ACCESSES));
    }
  }

  /** A cold file, cut over nodes that load it once for all, against nodes that each load it. */
  private void nodes(MpiPrograms programs) throws IOException, InterruptedException {
    List<String> walk = arguments("walk", programs.slowly().resolve("file"), COLD_STEPS);
    for (int nodes : options.nodes()) {
      String name = "nodes " + nodes;
      programs.startAgents(nodes, 2 * options.fileBytes());
      add(programs, name, MpiIoSetup.PLAIN, nodes, Map.of(), walk);
      for (String hints : List.of("", ",dynims_distribute=true")) {
        List<MpiIoRun> runs = new ArrayList<>();
        for (int i = 0; i < options.repetitions(); i++) {
          programs.startAgents(nodes, 2 * options.fileBytes());
          Map<String, String> given = Map.of("MPIIO_BENCH_HINTS", "dynims_prefetch=true" + hints);
          runs.add(programs.run(MpiIoSetup.CACHED, nodes, given, walk));
        }
        addMedian(hints.isEmpty() ? name : name + CUT, MpiIoSetup.CACHED, runs);
      }
    }
  }

  private void warm(MpiPrograms programs, Path file) throws IOException, InterruptedException {
    long each = options.fileBytes() / (1 << 20) / options.ranks().get(0);
    progress.println("loading " + file.getFileName() + " into the cache");
    programs.run(
        MpiIoSetup.CACHED,
        options.ranks().get(0),
        Map.of(),
        blocks(file, "read", "sequential", 1 << 20, each));
  }

  private static List<String> blocks(
      Path file, String operation, String pattern, int chunk, long count) {
    return List.of(
        "blocks",
        file.toString(),
        operation,
        pattern,
        Integer.toString(chunk),
        Long.toString(count));
  }

  private static List<String> arguments(String program, Path file, long count) {
    return List.of(program, file.toString(), Long.toString(count));
  }

  private void measure(MpiPrograms programs, String name, MpiIoSetup setup, List<String> arguments)
      throws IOException, InterruptedException {
    measureWith(programs, name, setup, Map.of(), arguments);
  }

  private void measureWith(
      MpiPrograms programs,
      String name,
      MpiIoSetup setup,
      Map<String, String> environment,
      List<String> arguments)
      throws IOException, InterruptedException {
    add(programs, name, setup, options.ranks().get(0), environment, arguments);
  }

  /** The median of the repetitions, by the time of an access. */
  private void add(
      MpiPrograms programs,
      String name,
      MpiIoSetup setup,
      int ranks,
      Map<String, String> environment,
      List<String> arguments)
      throws IOException, InterruptedException {
    List<MpiIoRun> runs = new ArrayList<>();
    for (int i = 0; i < options.repetitions(); i++) {
      runs.add(programs.run(setup, ranks, environment, arguments));
    }
    addMedian(name, setup, runs);
  }

  private void addMedian(String name, MpiIoSetup setup, List<MpiIoRun> runs) {
    runs.sort(Comparator.comparingDouble(MpiIoRun::microsPerAccess));
    MpiIoRun median = runs.get(runs.size() / 2);
    Set<String> checksums = runs.stream().map(MpiIoRun::checksum).collect(Collectors.toSet());
    measurements.add(new MpiIoMeasurement(name, setup, median, checksums));
    progress.printf("%s, %s: %.2f µs an access%n", name, setup.label(), median.microsPerAccess());
  }
}
