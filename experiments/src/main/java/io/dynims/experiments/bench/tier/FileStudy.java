package io.dynims.experiments.bench.tier;

import alluxio.AlluxioURI;
import alluxio.client.file.FileSystem;
import alluxio.exception.AlluxioException;
import alluxio.grpc.DeletePOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures the cells of one interface that {@link AccessWorker} has. */
final class FileStudy implements AutoCloseable {

  private static final String FOLDER = "study";
  private static final int SINGLE_OPERATIONS = 1_024;
  private static final long SINGLE_SECONDS = 10;
  private static final int FIRST_WARM_TIMES = 3;

  private final List<AccessGroup.Worker> workers;
  private final Path files;
  private final Path log;
  private final Path counter;
  private final StudyOptions options;
  private AccessGroup group;
  private int coldFiles;
  private boolean isWarm;

  /** Something else that is measured after each repetition. */
  interface Beside {
    void run(int repetition, CellResult soFar) throws IOException, InterruptedException;
  }

  /**
   * An interface.
   *
   * @param workers what its processes are, in turn
   * @param files where this program writes the files that the interface reads
   * @param log for errors of processes
   * @param counter the file in which the under store counts accesses
   */
  FileStudy(
      List<AccessGroup.Worker> workers, Path files, Path log, Path counter, StudyOptions options)
      throws IOException {
    this.workers = workers;
    this.files = Files.createDirectories(files.resolve(FOLDER)).getParent();
    this.log = log;
    this.counter = counter;
    this.options = options;
  }

  /** Measures a cell at rest; what the interface cannot do is in the result. */
  CellResult measure(StudyCell cell) throws IOException, InterruptedException {
    return measure(cell, options.effort(), (repetition, soFar) -> {});
  }

  /** The same, with something else in turns. */
  CellResult measure(StudyCell cell, Beside beside) throws IOException, InterruptedException {
    return measure(cell, options.effort().compared(), beside);
  }

  private CellResult measure(StudyCell cell, StudyEffort effort, Beside beside)
      throws IOException, InterruptedException {
    List<AccessOrder> orders = orders(cell);
    if (group == null || group.size() != orders.size()) {
      // Compiles what these processes run, and what Alluxio's do if they are new.
      long millis = (isWarm ? 1 : FIRST_WARM_TIMES) * options.effort().disturbedMillis();
      var unused = run(orders.stream().map(each -> each.warming(millis)).toList());
      isWarm = true;
    }
    // Loads the file and checks every byte.
    Repetitions warming = new Repetitions(cell);
    warming.add(
        run(orders.stream().map(each -> each.warming(options.effort().warmMillis())).toList()));
    if (warming.hasFailed()) {
      return warming.result();
    }
    Repetitions repetitions = repeat(cell, orders, effort, beside);
    repetitions.addWrong(warming.result().wrong());
    if (cell.isWatched()) {
      watch(repetitions, orders.get(0));
    }
    return repetitions.result();
  }

  /** Ten repetitions, fewer if they take long. */
  private Repetitions repeat(
      StudyCell cell, List<AccessOrder> orders, StudyEffort effort, Beside beside)
      throws IOException, InterruptedException {
    Repetitions repetitions = new Repetitions(cell);
    long usedNanos = 0;
    for (int i = 1; isAnother(i, usedNanos, effort) && !repetitions.hasFailed(); i++) {
      int seed = i;
      Repetitions one = new Repetitions(cell);
      long begin = System.nanoTime();
      List<AccessOutcome> outcomes =
          run(
              orders.stream()
                  .map(each -> each.of(each.file(), seed).timed(effort.passMillis()))
                  .toList());
      usedNanos += System.nanoTime() - begin;
      one.add(outcomes);
      repetitions.add(outcomes);
      beside.run(i, one.result());
    }
    return repetitions;
  }

  private static boolean isAnother(int repetition, long usedNanos, StudyEffort effort) {
    boolean hasTime = usedNanos < TimeUnit.MILLISECONDS.toNanos(effort.cellMillis());
    return repetition <= effort.repetitions()
        && (hasTime || repetition <= effort.leastRepetitions());
  }

  /** Single operations, of which the slowest ones are explained. */
  private void watch(Repetitions repetitions, AccessOrder order)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SINGLE_SECONDS);
    int operations = 0;
    int seed = options.effort().repetitions();
    int wanted = options.effort().fewCells() ? order.count() : SINGLE_OPERATIONS;
    while (operations < wanted && System.nanoTime() < end && !repetitions.hasFailed()) {
      AccessOrder next = order.of(order.file(), ++seed).watched(0, options.alluxioBlockBytes());
      AccessOutcome outcome = group(1).run(List.of(next)).get(0);
      repetitions.addWatched(outcome);
      operations += outcome.micros().length;
    }
  }

  /** Measures a cell whose files Alluxio has to load: each repetition has files of its own. */
  CellResult measureCold(StudyCell cell, FileSystem alluxio)
      throws IOException, InterruptedException {
    Repetitions repetitions = new Repetitions(cell);
    long begin = System.nanoTime();
    // The first one warms the processes up.
    for (int i = 0;
        isAnother(i, System.nanoTime() - begin, options.effort()) && !repetitions.hasFailed();
        i++) {
      List<AccessOrder> orders = new ArrayList<>();
      for (int process = 0; process < cell.processesInAll(); process++) {
        String name = FOLDER + "/cold-" + coldFiles++;
        prepare(files.resolve(name), (long) options.count(cell) * cell.blockBytes(), options);
        orders.add(AccessOrder.once(cell, name, options.count(cell)).of(name, i));
      }
      List<AccessOutcome> outcomes = run(orders);
      if (i > 0) {
        repetitions.add(outcomes);
      } else {
        repetitions.addWrong(wrong(outcomes));
      }
      for (AccessOrder order : orders) {
        delete(alluxio, new AlluxioURI("/" + order.file()));
      }
    }
    return repetitions.result();
  }

  /** Reads the file of a cell into the tier, and returns how many blocks had wrong bytes. */
  int load(StudyCell cell) throws IOException, InterruptedException {
    int together = StudyOptions.together(cell.blockBytes());
    return wrong(run(orders(cell).stream().map(each -> each.inOrder(together)).toList()));
  }

  private static int wrong(List<AccessOutcome> outcomes) {
    return outcomes.stream().mapToInt(AccessOutcome::wrong).sum();
  }

  /** Accesses that are watched, for the time that a pass while the tier is resized takes. */
  Repetitions readForAWhile(StudyCell cell, long seed) throws IOException, InterruptedException {
    Repetitions repetitions = new Repetitions(cell);
    long millis = options.effort().disturbedMillis();
    repetitions.add(
        run(
            orders(cell).stream()
                .map(
                    each -> each.of(each.file(), seed).watched(millis, options.alluxioBlockBytes()))
                .toList()));
    return repetitions;
  }

  private static void delete(FileSystem alluxio, AlluxioURI file) throws IOException {
    try {
      alluxio.delete(file, DeletePOptions.newBuilder().setUnchecked(true).build());
    } catch (AlluxioException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** One order for each process, whose file is there if it is read. */
  private List<AccessOrder> orders(StudyCell cell) throws IOException {
    int count = options.count(cell);
    List<AccessOrder> orders = new ArrayList<>();
    for (int i = 0; i < cell.processesInAll(); i++) {
      long bytes = (long) count * cell.blockBytes();
      String name = FOLDER + "/" + (cell.write() ? "written-" : "read-" + bytes + "-") + i;
      if (!cell.write()) {
        prepare(files.resolve(name), bytes, options);
      }
      orders.add(AccessOrder.once(cell, name, count));
    }
    return orders;
  }

  /** The file that the first process of a cell reads. */
  static String readFile(StudyCell cell, StudyOptions options) {
    return FOLDER + "/read-" + (long) options.count(cell) * cell.blockBytes() + "-0";
  }

  /** Makes a file unless it is there. */
  static void prepare(Path file, long bytes, StudyOptions options) throws IOException {
    if (Files.exists(file) && Files.size(file) == bytes) {
      return;
    }
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long offset = 0; offset < bytes; offset += buffer.length) {
        int length = (int) Math.min(buffer.length, bytes - offset);
        Content.fill(ByteBuffer.wrap(buffer), offset);
        out.write(buffer, 0, length);
      }
    }
    if (options.plantWrongByte()) {
      plant(file, bytes / 2 + Long.BYTES);
    }
  }

  /** Makes a byte wrong, one that a check of samples would not find. */
  private static void plant(Path file, long place) throws IOException {
    try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
      content.seek(place);
      int right = content.read();
      content.seek(place);
      content.write(~right);
    }
  }

  private List<AccessOutcome> run(List<AccessOrder> orders)
      throws IOException, InterruptedException {
    return group(orders.size()).run(orders);
  }

  private AccessGroup group(int processes) throws IOException, InterruptedException {
    if (group == null || group.size() != processes) {
      close();
      group = new AccessGroup(processes, workers, log, counter);
    }
    return group;
  }

  @Override
  public void close() throws InterruptedException {
    if (group != null) {
      group.close();
      group = null;
    }
  }
}
