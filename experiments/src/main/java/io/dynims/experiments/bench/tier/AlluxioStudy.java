package io.dynims.experiments.bench.tier;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileSystem;
import alluxio.exception.AlluxioException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.mpiio.MpiPrograms;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.DataSet;
import io.dynims.local.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures Alluxio's interfaces, on a stack whose under store is the slow file system. */
final class AlluxioStudy {

  private static final long SEED = 20_261_123;
  private static final long FILLER_PART = 64L << 20;
  private static final double FILLER = 0.9;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String FOLDER = "alluxio";

  private final BenchStack stack;
  private final MpiPrograms slow;
  private final StudyOptions options;
  private final StudyRecord record;
  private final AlluxioPrograms.Place here = new AlluxioPrograms.Place(List.of(), LOOPBACK);
  private final Map<AccessKind, AccessProgram> programs = new EnumMap<>(AccessKind.class);
  private final Map<AccessKind, FileStudy> studies = new EnumMap<>(AccessKind.class);

  /**
   * A study on a stack that is not running.
   *
   * @param slow with the slow file system
   */
  AlluxioStudy(BenchStack stack, MpiPrograms slow, StudyOptions options, StudyRecord record) {
    this.stack = stack;
    this.slow = slow;
    this.options = options;
    this.record = record;
  }

  /** Measures what is missing of these interfaces. */
  void run(List<AccessKind> kinds) throws Exception {
    Files.createDirectories(slow.local().resolve(FOLDER));
    List<String> settings =
        List.of(
            "node.name=bench-1",
            "policy.mode=Enforce",
            "collectd.memory.plugin=dynims",
            "alluxio.ufs=" + slow.slowly().resolve(FOLDER),
            "alluxio.block.size=" + options.alluxioBlockBytes(),
            "tier.max=" + options.tierBytes());
    stack.up(settings, "adapter");
    int port = stack.settings().port("alluxio.master.port");
    try (AlluxioFiles alluxio = new AlluxioFiles(LOOPBACK, port)) {
      DataSet filler = filler(alluxio);
      for (AccessKind kind : kinds) {
        start(kind, port);
        measureAtRest(kind, alluxio);
      }
      Map<AccessKind, ResizeStudy.Reader> readers = new LinkedHashMap<>();
      kinds.forEach(kind -> readers.put(kind, reader(studies.get(kind), alluxio.files(), filler)));
      new ResizeStudy(stack, settings, options, record.progress()).run(readers);
    } finally {
      for (FileStudy study : studies.values()) {
        study.close();
      }
      for (AccessProgram program : programs.values()) {
        program.close();
      }
    }
    stack.reset();
  }

  /** Its files are on the local disk, because the tier is filled with them again and again. */
  private DataSet filler(AlluxioFiles alluxio) throws IOException, AlluxioException {
    Path folder = Files.createDirectories(slow.local().resolve("filler"));
    alluxio.files().mount(new AlluxioURI(DataSet.folder(SEED)), new AlluxioURI(folder.toString()));
    long bytes = (long) (FILLER * options.tierBytes()) / FILLER_PART * FILLER_PART;
    DataSet filler = new DataSet(alluxio.files(), SEED, bytes);
    filler.ensure(done -> {});
    return filler;
  }

  private void start(AccessKind kind, int masterPort) throws IOException, InterruptedException {
    Path log = stack.home().log("study");
    AlluxioPrograms alluxio =
        new AlluxioPrograms(
            stack.home().project().resolve("experiments/access/target/lib"),
            stack.home().config(),
            log);
    List<String> arguments;
    switch (kind) {
      case Fuse -> {
        programs.put(kind, alluxio.mount(here, mount(), options.mount()));
        arguments = List.of("file", mount().toString());
      }
      case S3 -> {
        int port = FreePorts.forKeys(Set.of("s3")).get("s3");
        programs.put(kind, alluxio.proxy(here, port));
        arguments = List.of("s3", LOOPBACK + ":" + port);
      }
      default -> arguments = List.of("native", LOOPBACK + ":" + masterPort, LOOPBACK);
    }
    studies.put(
        kind,
        new FileStudy(
            List.of(new AccessGroup.Worker(List.of(), arguments)),
            slow.local().resolve(FOLDER),
            log,
            slow.counter(),
            options));
  }

  private Path mount() {
    return stack.home().state().resolve("fuse");
  }

  private void measureAtRest(AccessKind kind, AlluxioFiles alluxio) throws Exception {
    FileStudy study = studies.get(kind);
    for (StudyCell cell : StudyPlan.cells(kind, options)) {
      record.measure(
          cell,
          mount(),
          study,
          () ->
              cell.state() == StudyState.Cold
                  ? study.measureCold(cell, alluxio.files())
                  : study.measure(cell));
      if (programs.containsKey(kind)) {
        programs.get(kind).check(kind);
      }
    }
    if (kind == AccessKind.Fuse && options.wants(StudyPart.Rest, kind)) {
      record.addProbes(new WriteProbes(mount().resolve("study/probe")).run());
    }
  }

  private ResizeStudy.Reader reader(FileStudy study, FileSystem files, DataSet filler) {
    return new ResizeStudy.Reader() {
      @Override
      public int load(StudyCell cell) throws Exception {
        byte[] buffer = new byte[1 << 20];
        for (int block = 0; block < filler.items(); block++) {
          if (!filler.verify(block, buffer)) {
            throw new IOException("block " + block + " of the filler has wrong bytes");
          }
        }
        int wrong = study.load(cell);
        cache(files, new AlluxioURI("/" + FileStudy.readFile(cell, options)));
        return wrong;
      }

      @Override
      public CellResult read(StudyCell cell, long seed, ResizeStudy.Shrinks shrinks)
          throws Exception {
        long begin = System.currentTimeMillis();
        Repetitions repetitions = study.readForAWhile(cell, seed);
        List<HopNames.Interval> resizes = shrinks.between(begin, System.currentTimeMillis());
        return repetitions.result(new HopNames(cell.kind(), resizes));
      }
    };
  }

  /**
   * Reads a file by Alluxio's client, which returns when the tier has it. The FUSE mount and the S3
   * API read blocks out of order: the worker then loads them in the background.
   */
  private static void cache(FileSystem files, AlluxioURI file)
      throws IOException, AlluxioException {
    byte[] buffer = new byte[1 << 20];
    try (FileInStream in = files.openFile(file)) {
      while (in.read(buffer) >= 0) {
        // What it reads is checked by the reader whose passes follow.
      }
    }
  }
}
