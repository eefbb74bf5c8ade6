package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.wire.AckStatus;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.ResultJournal;
import io.dynims.experiments.bench.mpiio.MpiIoOptions;
import io.dynims.experiments.bench.mpiio.MpiPrograms;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.DataSet;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Measures how fast a tier is: the cells of all interfaces, on a real Alluxio or a cache under
 * MPI-IO, over a slow under store.
 */
public final class TierStudy {

  private static final long SEED = 20_261_123;
  private static final long FILLER_PART = 64L << 20;
  private static final double FILLER = 0.75;

  private final BenchStack stack;
  private final Path built;
  private final StudyOptions options;
  private final ResultJournal<CellResult> journal;
  private final PrintStream progress;
  private final Map<StudyCell, CellResult> results = new LinkedHashMap<>();
  private final Map<StudyCell, CellResult> byFio = new LinkedHashMap<>();
  private final Map<NetCdfCell, CellResult> netCdf = new LinkedHashMap<>();
  private final long startedNanos = System.nanoTime();
  private final Map<String, String> probes = new TreeMap<>();
  private boolean hasFio;
  private int measured;
  private int remaining;

  /**
   * A study that starts nothing yet.
   *
   * @param stack of its own
   * @param built the folder with the programs of {@code mpiio-cache}
   * @param journal the results so far
   */
  public TierStudy(
      BenchStack stack, Path built, StudyOptions options, Path journal, PrintStream progress)
      throws IOException {
    this.stack = stack;
    this.built = built;
    this.options = options;
    this.journal = new ResultJournal<>(journal, CellResult.class, CellResult::id);
    this.progress = progress;
  }

  /**
   * Measures what is not in the journal.
   *
   * @throws Exception if a program does not start; the message says which
   */
  public Findings run() throws Exception {
    if (!Files.exists(built.resolve("slowfs"))) {
      throw new IOException(built + " has no programs: run mpiio-cache/build first");
    }
    hasFio = FioCheck.isThere();
    if (!hasFio) {
      progress.println("without a check by fio, which is not installed");
    }
    for (AccessKind kind : options.kinds()) {
      remaining += missing(kind).size() + missingOfFio(kind).size();
    }
    List<NetCdfCell> netCdfCells = netCdfCells();
    remaining += (int) netCdfCells.stream().filter(cell -> found(cell.id()).isEmpty()).count();
    Files.createDirectories(stack.home().log("study").getParent());
    Path scratch = stack.home().state().resolve("study");
    try (MpiPrograms programs = new MpiPrograms(built, scratch, slow("mpich"))) {
      programs.startSlowFileSystem();
      fileSystems(programs);
      mpi(programs);
      alluxio(programs);
    }
    if (!netCdfCells.isEmpty()) {
      netCdf(netCdfCells, scratch);
    }
    return new StudyFindings(options, new StudyResults(results), byFio, netCdf, probes).findings();
  }

  private List<NetCdfCell> netCdfCells() {
    if (!wants(AccessKind.MpiIo)) {
      return List.of();
    }
    if (!Files.exists(built.resolve(NetCdfStudy.PROGRAM + "-openmpi"))) {
      progress.println("without NetCDF: its program is built where libnetcdf-mpi-dev is installed");
      return List.of();
    }
    return NetCdfStudy.cells(options);
  }

  private MpiIoOptions slow(String mpi) {
    return new MpiIoOptions(
        mpi,
        options.processes(),
        List.of(1),
        options.tierBytes(),
        options.rate(),
        options.latencyMicros(),
        options.effort().repetitions());
  }

  private void netCdf(List<NetCdfCell> cells, Path scratch) throws Exception {
    try (MpiPrograms programs = new MpiPrograms(built, scratch, slow("openmpi"))) {
      programs.startSlowFileSystem();
      NetCdfStudy study = new NetCdfStudy(programs, options);
      for (NetCdfCell cell : cells) {
        if (found(cell.id()).isEmpty()) {
          keep(study.measure(cell));
        }
        netCdf.put(cell, journal.find(cell.id()).orElseThrow());
      }
    }
  }

  /** A refusal is tried again: an interruption looks like one. */
  private Optional<CellResult> found(String id) {
    return journal.find(id).filter(result -> result.error() == null);
  }

  private List<StudyCell> missing(AccessKind kind) {
    return StudyPlan.cells(kind, options).stream()
        .filter(cell -> found(cell.id()).isEmpty())
        .toList();
  }

  private List<StudyCell> missingOfFio(AccessKind kind) {
    return StudyPlan.cells(kind, options).stream()
        .filter(cell -> hasFio && FioCheck.covers(cell))
        .filter(cell -> found(FioCheck.id(cell)).isEmpty())
        .toList();
  }

  /** Measures again, by fio, what it can. */
  private void checkByFio(AccessKind kind, Path folder, FileStudy study) throws Exception {
    for (StudyCell cell : missingOfFio(kind)) {
      var unused = study.measure(cell); // The file may be another run's, and not be there.
      Path file = folder.resolve(FileStudy.readFile(cell, options));
      keep(new FioCheck(options).measure(cell, file, options.count(cell)));
    }
    for (StudyCell cell : StudyPlan.cells(kind, options)) {
      journal.find(FioCheck.id(cell)).ifPresent(result -> byFio.put(cell, result));
    }
  }

  private interface Measurement {
    CellResult measure(StudyCell cell) throws Exception;
  }

  private void measureAll(AccessKind kind, Measurement measurement) throws Exception {
    for (StudyCell cell : StudyPlan.cells(kind, options)) {
      if (found(cell.id()).isEmpty()) {
        keep(measurement.measure(cell));
      }
      results.put(cell, journal.find(cell.id()).orElseThrow());
    }
  }

  private void keep(CellResult result) throws IOException {
    journal.add(result);
    measured++;
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    String rate = String.format("%.1f MiB/s", result.rate(result.accessSeconds()));
    progress.printf(
        "%d of %d, %.0f min left: %s: %s%n",
        measured,
        remaining,
        seconds / measured * (remaining - measured) / 60,
        result.id(),
        result.error() == null ? rate : result.error());
  }

  private boolean wants(AccessKind kind) {
    return options.kinds().contains(kind);
  }

  private void fileSystems(MpiPrograms programs) throws Exception {
    Path log = stack.home().log("study");
    if (wants(AccessKind.Tmpfs)) {
      Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-bench-study");
      try (FileStudy study =
          new FileStudy(List.of("file", memory.toString()), memory, log, options)) {
        measureAll(AccessKind.Tmpfs, study::measure);
        checkByFio(AccessKind.Tmpfs, memory, study);
      } finally {
        Folders.remove(memory);
      }
    }
    if (wants(AccessKind.UnderStore)) {
      Path local = programs.local().resolve("direct");
      Path slowly = programs.slowly().resolve("direct");
      try (FileStudy study =
          new FileStudy(List.of("file", slowly.toString()), local, log, options)) {
        measureAll(AccessKind.UnderStore, study::measure);
      }
    }
  }

  private void mpi(MpiPrograms programs) throws Exception {
    if (!wants(AccessKind.MpiIo) && !wants(AccessKind.PlainMpiIo)) {
      return;
    }
    MpiStudy study = new MpiStudy(programs, options);
    for (AccessKind kind : List.of(AccessKind.PlainMpiIo, AccessKind.MpiIo)) {
      if (wants(kind)) {
        measureAll(
            kind,
            cell -> cell.state().isLasting() ? study.measureDisturbed(cell) : study.measure(cell));
      }
    }
    programs.stopAgents();
  }

  private void alluxio(MpiPrograms programs) throws Exception {
    List<AccessKind> kinds =
        new ArrayList<>(List.of(AccessKind.Native, AccessKind.Fuse, AccessKind.S3));
    kinds.retainAll(options.kinds());
    if (kinds.isEmpty()) {
      return;
    }
    Files.createDirectories(programs.local().resolve("alluxio"));
    stack.up(
        List.of(
            "alluxio.ufs=" + programs.slowly().resolve("alluxio"),
            "tier.max=" + options.tierBytes()),
        "adapter");
    StackSettings settings = stack.settings();
    int port = settings.port("alluxio.master.port");
    try (AlluxioFiles alluxio = new AlluxioFiles("127.0.0.1", port)) {
      long fillerBytes = (long) (FILLER * options.tierBytes()) / FILLER_PART * FILLER_PART;
      DataSet filler = new DataSet(alluxio.files(), SEED, fillerBytes);
      filler.ensure(done -> {});
      for (AccessKind kind : kinds) {
        measureAlluxio(kind, programs, alluxio, filler, port);
      }
    }
  }

  private void measureAlluxio(
      AccessKind kind, MpiPrograms programs, AlluxioFiles alluxio, DataSet filler, int port)
      throws Exception {
    Path files = programs.local().resolve("alluxio");
    Path log = stack.home().log("study");
    AlluxioPrograms alluxioPrograms = new AlluxioPrograms(stack.home(), port);
    try (AccessProgram program = alluxioPrograms.start(kind, log);
        FileStudy study = new FileStudy(alluxioPrograms.worker(kind), files, log, options)) {
      measureAll(
          kind,
          cell -> {
            CellResult result = measureAlluxio(cell, study, alluxio, filler);
            if (program != null) {
              program.check(kind);
            }
            return result;
          });
      if (kind == AccessKind.Fuse) {
        checkByFio(kind, alluxioPrograms.mount(), study);
        probes.putAll(new WriteProbes(alluxioPrograms.mount().resolve("study/probe")).run());
      }
    }
  }

  private CellResult measureAlluxio(
      StudyCell cell, FileStudy study, AlluxioFiles alluxio, DataSet filler) throws Exception {
    return switch (cell.state()) {
      case Rest -> study.measure(cell);
      case Cold -> study.measureCold(cell, alluxio.files());
      case Undisturbed, Halved, Swinging -> study.measureDisturbed(cell, filler, this::resize);
    };
  }

  private void resize(long bytes) throws Exception {
    TierRequest request =
        new TierRequest(bytes, System.currentTimeMillis(), TierRequest.MAX_LEASE_MILLIS);
    TierReply reply = stack.clients().tier().put(request);
    if (reply.status() == AckStatus.Failed) {
      throw new IOException("the adapter does not resize: " + reply.message());
    }
  }
}
