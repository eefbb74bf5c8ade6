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
import java.util.concurrent.TimeUnit;

/**
 * Measures real NetCDF-4 on the under store, with and without the cache under its MPI-IO. Every
 * value that is read is checked.
 */
final class NetCdfStudy {

  /** Of {@code mpiio-cache}. */
  static final String PROGRAM = "netcdf-bench";

  private static final String FOLDER = "netcdf";
  private static final int LEAST_BLOCK_BYTES = 16 << 10;

  private final MpiPrograms programs;
  private final StudyOptions options;

  /** Cells on a slow file system that is mounted; agents have not been started. */
  NetCdfStudy(MpiPrograms programs, StudyOptions options) throws IOException, InterruptedException {
    this.programs = programs;
    this.options = options;
    Files.createDirectories(programs.local().resolve(FOLDER));
    programs.startAgents(1, options.tierBytes());
  }

  /** All cells. */
  static List<NetCdfCell> cells(StudyOptions options) {
    List<NetCdfCell> cells = new ArrayList<>();
    if (!options.wants(StudyPart.Rest, AccessKind.MpiIo)) {
      return cells;
    }
    List<Boolean> forms = options.effort().fewCells() ? List.of(true) : List.of(true, false);
    for (int processes : StudyPlan.counts(options.processes(), true, options)) {
      for (boolean collective : forms) {
        for (boolean chunked : forms) {
          for (boolean write : List.of(true, false)) {
            for (int block : options.blockBytes()) {
              for (boolean cached : List.of(false, true)) {
                if (block >= LEAST_BLOCK_BYTES) {
                  cells.add(new NetCdfCell(cached, write, chunked, collective, block, processes));
                }
              }
            }
          }
        }
      }
    }
    return cells;
  }

  CellResult measure(NetCdfCell cell) throws IOException, InterruptedException {
    if (!cell.write()) {
      var unused = run(cell, MpiIoSetup.PLAIN, "write");
    }
    MpiIoSetup setup = cell.cached() ? MpiIoSetup.CACHED : MpiIoSetup.PLAIN;
    String operation = cell.write() ? "write" : "read";
    var unused = run(cell, setup, operation); // Loads the file.
    List<MpiIoRun> runs = new ArrayList<>();
    StudyEffort effort = options.effort();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(effort.cellMillis());
    while (runs.size() < effort.leastRepetitions()
        || (runs.size() < effort.repetitions() && System.nanoTime() < end)) {
      runs.add(run(cell, setup, operation));
    }
    return MpiStudy.result(cell.id(), cell.blockBytes(), runs, 0);
  }

  private MpiIoRun run(NetCdfCell cell, MpiIoSetup setup, String operation)
      throws IOException, InterruptedException {
    Path file = programs.slowly().resolve(FOLDER).resolve("data.nc");
    return programs.run(
        PROGRAM,
        setup,
        cell.processes(),
        Map.of("DYNIMS_MPIIO_MODE", "write-back"),
        List.of(
            file.toString(),
            operation,
            Integer.toString(options.count(cell.blockBytes(), cell.processes())),
            Integer.toString(cell.z()),
            cell.chunked() ? "chunked" : "contiguous",
            cell.collective() ? "collective" : "independent"));
  }
}
