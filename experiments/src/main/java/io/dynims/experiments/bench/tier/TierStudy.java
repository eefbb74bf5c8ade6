package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.mpiio.MpiIoOptions;
import io.dynims.experiments.bench.mpiio.MpiPrograms;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures how fast a tier is: the cells of all interfaces, on a real Alluxio or a cache under
 * MPI-IO, over a slow under store.
 */
public final class TierStudy {

  private final BenchStack stack;
  private final Path built;
  private final StudyOptions options;
  private final StudyProgress progress;
  private final StudyRecord record;

  /**
   * A study that starts nothing yet.
   *
   * @param stack of its own
   * @param built the folder with the programs of {@code mpiio-cache}
   * @param journal the results so far
   * @param tree what is measured; results of another one do not count
   */
  public TierStudy(
      BenchStack stack,
      Path built,
      StudyOptions options,
      Path journal,
      String tree,
      PrintStream progress)
      throws IOException, InterruptedException {
    this.stack = stack;
    this.built = built;
    this.options = options;
    this.progress = new StudyProgress(journal, tree, progress, System::nanoTime);
    boolean hasFio = FioCheck.isThere();
    if (!hasFio) {
      this.progress.note("without a check by fio, which is not installed");
    }
    this.record = new StudyRecord(options, this.progress, hasFio);
  }

  /** How long the whole study takes with these options, in words. */
  public static String estimate(StudyOptions options) {
    List<StudyCell> cells =
        options.kinds().stream().flatMap(kind -> cells(kind, options).stream()).toList();
    List<NetCdfCell> netCdf = NetCdfStudy.cells(options);
    double seconds = new StudyEstimate(options).seconds(cells, netCdf);
    return cells.size() + netCdf.size() + " cells, " + StudyProgress.duration(seconds);
  }

  private static List<StudyCell> cells(AccessKind kind, StudyOptions options) {
    return Stream.of(
            StudyPlan.cells(kind, options),
            StudyPlan.disturbances(kind, options),
            StudyPlan.nodes(kind, options))
        .flatMap(List::stream)
        .toList();
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
    plan();
    progress.note("this takes " + progress.left().replace(" left", ""));
    Files.createDirectories(stack.home().log("study").getParent());
    Path scratch = stack.home().state().resolve("study");
    try (MpiPrograms programs = new MpiPrograms(built, scratch, slow("mpich"))) {
      programs.startSlowFileSystem();
      fileSystems(programs);
      mpi(programs);
      alluxio(programs);
      new NodesStudy(stack, built, programs, options, record).run();
    }
    netCdf(scratch);
    return record.findings().findings();
  }

  private void plan() {
    StudyEstimate estimate = new StudyEstimate(options);
    for (AccessKind kind : options.kinds()) {
      for (StudyCell cell : cells(kind, options)) {
        if (cell.state().isLasting()) {
          ResizeOrder.ids(cell, options.effort().rounds())
              .forEach(id -> progress.plan(id, estimate.passSeconds(cell)));
        } else {
          progress.plan(cell.id(), estimate.seconds(cell));
        }
        if (FioCheck.covers(cell)) {
          progress.plan(FioCheck.id(cell), estimate.fioSeconds());
        }
      }
    }
    netCdfCells().forEach(cell -> progress.plan(cell.id(), estimate.seconds(cell)));
  }

  private List<NetCdfCell> netCdfCells() {
    return Files.exists(built.resolve(NetCdfStudy.PROGRAM + "-openmpi"))
        ? NetCdfStudy.cells(options)
        : List.of();
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

  private void netCdf(Path scratch) throws Exception {
    List<NetCdfCell> cells = netCdfCells();
    if (NetCdfStudy.cells(options).isEmpty()) {
      return;
    }
    if (cells.isEmpty()) {
      progress.note("without NetCDF: its program is built where libnetcdf-mpi-dev is installed");
      return;
    }
    try (MpiPrograms programs = new MpiPrograms(built, scratch, slow("openmpi"))) {
      programs.startSlowFileSystem();
      NetCdfStudy study = new NetCdfStudy(programs, options);
      for (NetCdfCell cell : cells) {
        record.measure(cell, () -> study.measure(cell));
      }
    }
  }

  private void fileSystems(MpiPrograms programs) throws Exception {
    Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-bench-study");
    try {
      files(AccessKind.Tmpfs, List.of("file", memory.toString()), memory, programs);
      files(AccessKind.TmpfsHeap, List.of("heap", memory.toString()), memory, programs);
    } finally {
      Folders.remove(memory);
    }
    Path slowly = programs.slowly().resolve("direct");
    files(
        AccessKind.UnderStore,
        List.of("file", slowly.toString()),
        programs.local().resolve("direct"),
        programs);
  }

  private void files(AccessKind kind, List<String> worker, Path folder, MpiPrograms programs)
      throws Exception {
    try (FileStudy study =
        new FileStudy(
            List.of(new AccessGroup.Worker(List.of(), worker)),
            folder,
            stack.home().log("study"),
            programs.counter(),
            options)) {
      for (StudyCell cell : StudyPlan.cells(kind, options)) {
        record.measure(cell, folder, study, () -> study.measure(cell));
      }
    }
  }

  private void mpi(MpiPrograms programs) throws Exception {
    if (options.kinds().stream().noneMatch(AccessKind::isMpi)) {
      return;
    }
    MpiStudy study = new MpiStudy(programs, options);
    programs.startAgents(1, options.tierBytes());
    for (AccessKind kind : List.of(AccessKind.PlainMpiIo, AccessKind.MpiIo)) {
      for (StudyCell cell : StudyPlan.cells(kind, options)) {
        record.measure(cell, () -> study.measure(cell));
      }
    }
    programs.stopAgents();
    if (ResizeStudy.isMissing(AccessKind.MpiIo, options, progress)) {
      List<String> settings =
          List.of(
              "store=mpiio",
              "node.name=bench-1",
              "policy.mode=Enforce",
              "collectd.memory.plugin=dynims",
              "tier.max=" + options.tierBytes());
      stack.up(settings, "adapter");
      StackSettings inForce = stack.settings();
      programs.useAgent(stack.home().tier(inForce.tierParent()));
      new ResizeStudy(stack, settings, options, progress).run(Map.of(AccessKind.MpiIo, study));
      programs.stopAgents();
      stack.reset();
    }
  }

  private void alluxio(MpiPrograms programs) throws Exception {
    List<AccessKind> kinds =
        options.kinds().stream()
            .filter(AccessKind::isAlluxio)
            .filter(
                kind ->
                    options.wants(StudyPart.Rest, kind) || options.wants(StudyPart.Resizing, kind))
            .toList();
    if (!kinds.isEmpty()) {
      new AlluxioStudy(stack, programs, options, record).run(kinds);
    }
  }
}
