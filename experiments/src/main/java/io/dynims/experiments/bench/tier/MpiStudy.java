package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.mpiio.MpiIoRun;
import io.dynims.experiments.bench.mpiio.MpiIoSetup;
import io.dynims.experiments.bench.mpiio.MpiPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cells of MPI-IO, by its own program: the times of its slowest rank. Every byte is
 * checked in runs that are not timed, and while the tier is resized; in timed runs at rest, the
 * checksum of what was read must be that of a run without the cache.
 */
final class MpiStudy implements ResizeStudy.Reader {

  private static final String FOLDER = "mpi";
  private static final long FILLER_BYTES_LEFT = 96L << 20;
  private static final int FILL_BYTES = 1 << 20;
  private static final long SINGLE_MILLIS = 2_000;
  private static final String MODE = "DYNIMS_MPIIO_MODE";

  /** Has every byte checked. */
  private static final String CHECK = "MPIIO_BENCH_CHECK";

  /** What an access may have waited for, in the program's order. */
  private static final List<String> HOPS =
      List.of("memory", "wait for a processor", "agent or under store");

  private final MpiPrograms programs;
  private final StudyOptions options;

  /** Cells on a slow file system that is mounted; there are agents. */
  MpiStudy(MpiPrograms programs, StudyOptions options) throws IOException {
    this.programs = programs;
    this.options = options;
    Files.createDirectories(programs.local().resolve(FOLDER));
  }

  CellResult measure(StudyCell cell) throws IOException, InterruptedException {
    Path file = prepare(cell);
    List<String> arguments = arguments(cell, file);
    int ranks = cell.processesInAll();
    String mode = cell.write() ? "write-back" : "write-through";
    Map<String, String> environment = Map.of(MODE, mode);
    Map<String, String> checked = Map.of(MODE, mode, CHECK, "1");
    int wrong = 0;
    if (cell.kind() == AccessKind.MpiIo) {
      wrong +=
          cell.nodes() == 0
              ? load(file)
              // Each node has a cache of its own.
              : programs.run(MpiIoSetup.CACHED, ranks, checked, arguments).wrong();
      wrong += programs.run(MpiIoSetup.CACHED, ranks, checked, arguments).wrong();
    }
    List<MpiIoRun> runs = new ArrayList<>();
    long begin = System.nanoTime();
    while (isAnother(runs.size(), begin)) {
      runs.add(programs.run(setup(cell), ranks, environment, arguments));
    }
    if (cell.write()) {
      return result(cell, runs, Optional.empty());
    }
    MpiIoRun right = programs.run(MpiIoSetup.PLAIN, ranks, Map.of(CHECK, "1"), arguments);
    CellResult result = result(cell, runs, Optional.of(right)).withMoreWrong(wrong + right.wrong());
    return cell.isWatched() ? result.withSingles(watch(cell)) : result;
  }

  /** Single accesses, of which the slowest ones are explained. */
  private CellResult watch(StudyCell cell) throws IOException, InterruptedException {
    MpiIoRun run =
        programs.run(
            setup(cell),
            1,
            Map.of(
                "MPIIO_BENCH_MILLIS",
                Long.toString(Math.min(SINGLE_MILLIS, options.effort().cellMillis())),
                CHECK,
                "1"),
            arguments(cell, prepare(cell)));
    return result(cell, List.of(run), Optional.empty());
  }

  private boolean isAnother(int done, long beginNanos) {
    StudyEffort effort = options.effort();
    boolean hasTime =
        System.nanoTime() - beginNanos < TimeUnit.MILLISECONDS.toNanos(effort.cellMillis());
    return done < effort.leastRepetitions() || (hasTime && done < effort.repetitions());
  }

  /** The filler is read from the local disk, which takes less time. */
  @Override
  public int load(StudyCell cell) throws IOException, InterruptedException {
    Path filler = programs.local().resolve(FOLDER).resolve("filler");
    FileStudy.prepare(filler, options.tierBytes() - FILLER_BYTES_LEFT, options);
    return load(filler) + load(prepare(cell));
  }

  @Override
  public CellResult read(StudyCell cell, long seed, ResizeStudy.Shrinks shrinks)
      throws IOException, InterruptedException {
    MpiIoRun run =
        programs.run(
            MpiIoSetup.CACHED,
            1,
            Map.of(
                "MPIIO_BENCH_MILLIS",
                Long.toString(options.effort().disturbedMillis()),
                CHECK,
                "1"),
            arguments(cell, prepare(cell)));
    return result(cell, List.of(run), Optional.empty());
  }

  private static MpiIoSetup setup(StudyCell cell) {
    return cell.kind() == AccessKind.MpiIo ? MpiIoSetup.CACHED : MpiIoSetup.PLAIN;
  }

  private int load(Path file) throws IOException, InterruptedException {
    long bytes = Math.min(FILL_BYTES, Files.size(file));
    return programs
        .run(
            MpiIoSetup.CACHED,
            1,
            Map.of(CHECK, "1"),
            List.of(
                "blocks",
                file.toString(),
                "read",
                "sequential",
                Long.toString(bytes),
                Long.toString(Files.size(file) / bytes)))
        .wrong();
  }

  /** The file of all ranks, each of which has a part of it. */
  private Path prepare(StudyCell cell) throws IOException {
    long bytes = (long) options.count(cell) * cell.blockBytes() * cell.processesInAll();
    String name = (cell.write() ? "written-" : "read-") + bytes;
    FileStudy.prepare(programs.local().resolve(FOLDER).resolve(name), bytes, options);
    return programs.slowly().resolve(FOLDER).resolve(name);
  }

  private List<String> arguments(StudyCell cell, Path file) {
    return List.of(
        "blocks",
        file.toString(),
        (cell.write() ? "write" : "read") + (cell.collective() ? "-all" : ""),
        cell.random() ? "random" : "sequential",
        Integer.toString(cell.blockBytes()),
        Integer.toString(options.count(cell)));
  }

  /** Runs are checked only against one with the same reads. */
  private static CellResult result(StudyCell cell, List<MpiIoRun> runs, Optional<MpiIoRun> right) {
    int different =
        (int)
            runs.stream()
                .filter(run -> right.isPresent() && !right.get().checksum().equals(run.checksum()))
                .count();
    return result(cell.id(), cell.blockBytes(), runs, different);
  }

  /**
   * Runs of a program as a result.
   *
   * @param wrong blocks or runs beside those that the program itself has found to be wrong
   */
  static CellResult result(String id, int blockBytes, List<MpiIoRun> runs, int wrong) {
    List<Long> bytes = new ArrayList<>();
    List<Double> access = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    double p50 = 0;
    double p99 = 0;
    double max = 0;
    int wrongInAll = wrong;
    int[] density = CellResult.density(new float[0]);
    for (MpiIoRun run : runs) {
      bytes.add(run.accesses() * blockBytes);
      access.add(run.accessSeconds());
      all.add(run.openSeconds() + run.accessSeconds() + run.closeSeconds());
      p50 = Math.max(p50, run.p50Seconds() * 1e6);
      p99 = Math.max(p99, run.p99Seconds() * 1e6);
      max = Math.max(max, run.maxSeconds() * 1e6);
      wrongInAll += run.wrong();
      for (int bin = 0; run.density() != null && bin < density.length; bin++) {
        density[bin] += run.density()[bin];
      }
    }
    MpiIoRun last = runs.get(runs.size() - 1);
    Map<String, Integer> hops = hops(last);
    return new CellResult(
        id,
        bytes,
        access,
        all,
        p50,
        p99,
        max,
        density,
        hops,
        hops.isEmpty()
            ? ""
            : CellResult.slowestHop(last.maxSeconds() * 1e6, HOPS.get(last.slowestCause())),
        0,
        wrongInAll,
        null);
  }

  private static Map<String, Integer> hops(MpiIoRun run) {
    Map<String, Integer> hops = new TreeMap<>();
    for (int cause = 0; run.causes() != null && cause < HOPS.size(); cause++) {
      if (run.causes()[cause] > 0) {
        hops.put(HOPS.get(cause), run.causes()[cause]);
      }
    }
    return hops;
  }
}
