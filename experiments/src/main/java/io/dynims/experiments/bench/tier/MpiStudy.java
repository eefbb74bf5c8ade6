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

/**
 * Measures the cells of MPI-IO, by its own program: the times of its slowest rank. The checksum of
 * what was read at rest must be that of a run without the cache; other cells are not checked.
 */
final class MpiStudy {

  private static final String FOLDER = "mpi";
  private static final long FILLER_BYTES_LEFT = 96L << 20;
  private static final int FILL_BYTES = 1 << 20;

  private final MpiPrograms programs;
  private final StudyOptions options;

  /** Cells on a slow file system that is mounted; agents have not been started. */
  MpiStudy(MpiPrograms programs, StudyOptions options) throws IOException, InterruptedException {
    this.programs = programs;
    this.options = options;
    Files.createDirectories(programs.local().resolve(FOLDER));
    programs.startAgents(1, options.tierBytes());
  }

  CellResult measure(StudyCell cell) throws IOException, InterruptedException {
    Path file = prepare(cell);
    List<String> arguments = arguments(cell, file);
    Map<String, String> environment =
        Map.of("DYNIMS_MPIIO_MODE", cell.write() ? "write-back" : "write-through");
    if (cell.kind() == AccessKind.MpiIo) {
      load(file);
      programs.run(MpiIoSetup.CACHED, cell.processes(), environment, arguments);
    }
    List<MpiIoRun> runs = new ArrayList<>();
    for (int i = 0; i < options.effort().repetitions(); i++) {
      runs.add(programs.run(setup(cell), cell.processes(), environment, arguments));
    }
    return result(
        cell, runs, cell.write() ? Optional.empty() : Optional.of(plain(cell, arguments)));
  }

  /** The same while the cache, full of other data, is resized. */
  CellResult measureDisturbed(StudyCell cell) throws Exception {
    Path filler = programs.slowly().resolve(FOLDER).resolve("filler");
    FileStudy.prepare(
        programs.local().resolve(FOLDER).resolve("filler"),
        options.tierBytes() - FILLER_BYTES_LEFT);
    Path file = prepare(cell);
    load(filler);
    load(file);
    MpiIoRun run;
    try (TierPusher pusher = new TierPusher(programs::resize, options.tierBytes(), cell.state())) {
      run =
          programs.run(
              MpiIoSetup.CACHED,
              1,
              Map.of("MPIIO_BENCH_MILLIS", Long.toString(options.effort().disturbedMillis())),
              arguments(cell, file));
    }
    return result(cell, List.of(run), Optional.empty());
  }

  /** The same reads without the cache. */
  private MpiIoRun plain(StudyCell cell, List<String> arguments)
      throws IOException, InterruptedException {
    return programs.run(MpiIoSetup.PLAIN, cell.processes(), Map.of(), arguments);
  }

  private static MpiIoSetup setup(StudyCell cell) {
    return cell.kind() == AccessKind.MpiIo ? MpiIoSetup.CACHED : MpiIoSetup.PLAIN;
  }

  private void load(Path file) throws IOException, InterruptedException {
    long bytes = Math.min(FILL_BYTES, Files.size(file));
    programs.run(
        MpiIoSetup.CACHED,
        1,
        Map.of(),
        List.of(
            "blocks",
            file.toString(),
            "read",
            "sequential",
            Long.toString(bytes),
            Long.toString(Files.size(file) / bytes)));
  }

  /** The file of all ranks, each of which has a part of it. */
  private Path prepare(StudyCell cell) throws IOException {
    long bytes = (long) options.count(cell) * cell.blockBytes() * cell.processes();
    String name = (cell.write() ? "written-" : "read-") + bytes;
    FileStudy.prepare(programs.local().resolve(FOLDER).resolve(name), bytes);
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
    List<Long> bytes = new ArrayList<>();
    List<Double> access = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    double p50 = 0;
    double p99 = 0;
    double max = 0;
    int wrong = 0;
    int[] density = CellResult.density(new float[0]);
    for (MpiIoRun run : runs) {
      bytes.add(run.accesses() * cell.blockBytes());
      access.add(run.accessSeconds());
      all.add(run.openSeconds() + run.accessSeconds() + run.closeSeconds());
      p50 = Math.max(p50, run.p50Seconds() * 1e6);
      p99 = Math.max(p99, run.p99Seconds() * 1e6);
      max = Math.max(max, run.maxSeconds() * 1e6);
      for (int bin = 0; bin < density.length; bin++) {
        density[bin] += run.density()[bin];
      }
      wrong += right.isEmpty() || right.get().checksum().equals(run.checksum()) ? 0 : 1;
    }
    return new CellResult(cell.id(), bytes, access, all, p50, p99, max, density, wrong, null);
  }
}
