package io.dynims.experiments.bench.tier;

import alluxio.AlluxioURI;
import alluxio.client.file.FileSystem;
import alluxio.exception.AlluxioException;
import alluxio.grpc.DeletePOptions;
import io.dynims.experiments.demo.DataSet;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures the cells of one interface that {@link AccessWorker} has. */
final class FileStudy implements AutoCloseable {

  private static final String FOLDER = "study";

  private final List<String> worker;
  private final Path files;
  private final Path log;
  private final StudyOptions options;
  private AccessGroup group;
  private int coldFiles;

  /**
   * An interface.
   *
   * @param worker arguments of {@link AccessWorker}
   * @param files where this program writes the files that the interface reads
   * @param log for errors of processes
   */
  FileStudy(List<String> worker, Path files, Path log, StudyOptions options) throws IOException {
    this.worker = worker;
    this.files = Files.createDirectories(files.resolve(FOLDER)).getParent();
    this.log = log;
    this.options = options;
  }

  /** Measures a cell at rest; what the interface cannot do is in the result. */
  CellResult measure(StudyCell cell) throws IOException, InterruptedException {
    List<AccessOrder> orders = orders(cell, 0);
    if (group == null || group.size() != cell.processes()) {
      // Compiles what these processes, and Alluxio's, run.
      var unused = group(cell.processes()).run(orders(cell, options.effort().disturbedMillis()));
    }
    var unused = group(cell.processes()).run(orders); // Loads the file.
    return repeat(cell, orders);
  }

  /** Measures a cell whose files Alluxio has to load: each repetition has files of its own. */
  CellResult measureCold(StudyCell cell, FileSystem alluxio)
      throws IOException, InterruptedException {
    Repetitions repetitions = new Repetitions(cell);
    // The first one warms the processes up.
    for (int i = 0; i <= options.effort().repetitions() && !repetitions.hasFailed(); i++) {
      List<AccessOrder> orders = new ArrayList<>();
      for (AccessOrder order : orders(cell, 0)) {
        String name = FOLDER + "/cold-" + coldFiles++;
        prepare(files.resolve(name), (long) order.count() * order.blockBytes());
        orders.add(order.of(name, i));
      }
      List<AccessOutcome> outcomes = group(cell.processes()).run(orders);
      if (i > 0) {
        repetitions.add(outcomes);
      }
      for (AccessOrder order : orders) {
        delete(alluxio, new AlluxioURI("/" + order.file()));
      }
    }
    return repetitions.result();
  }

  /** Measures a cell while its tier, full of other data, is resized. */
  CellResult measureDisturbed(StudyCell cell, DataSet filler, TierPusher.Tier tier)
      throws Exception {
    fill(filler);
    int together = StudyOptions.together(cell.blockBytes());
    List<AccessOrder> load = orders(cell, 0).stream().map(each -> each.inOrder(together)).toList();
    var unused = group(cell.processes()).run(load); // The last data read, and so the last evicted.
    Repetitions repetitions = new Repetitions(cell);
    List<AccessOrder> timed = orders(cell, options.effort().disturbedMillis());
    try (TierPusher pusher = new TierPusher(tier, options.tierBytes(), cell.state())) {
      repetitions.add(group.run(timed));
    }
    return repetitions.result();
  }

  private static void fill(DataSet filler) throws IOException, AlluxioException {
    byte[] buffer = new byte[1 << 20];
    for (int block = 0; block < filler.items(); block++) {
      if (!filler.verify(block, buffer)) {
        throw new IOException("block " + block + " of the filler has wrong bytes");
      }
    }
  }

  private CellResult repeat(StudyCell cell, List<AccessOrder> orders)
      throws IOException, InterruptedException {
    Repetitions repetitions = new Repetitions(cell);
    for (int i = 0; i < options.effort().repetitions() && !repetitions.hasFailed(); i++) {
      int repetition = i + 1;
      repetitions.add(
          group(cell.processes())
              .run(orders.stream().map(each -> each.of(each.file(), repetition)).toList()));
    }
    return repetitions.result();
  }

  private static void delete(FileSystem alluxio, AlluxioURI file) throws IOException {
    try {
      alluxio.delete(file, DeletePOptions.newBuilder().setUnchecked(true).build());
    } catch (AlluxioException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** One order for each process, whose file is there if it is read. */
  private List<AccessOrder> orders(StudyCell cell, long millis) throws IOException {
    int count = options.count(cell);
    List<AccessOrder> orders = new ArrayList<>();
    for (int i = 0; i < cell.processes(); i++) {
      long bytes = (long) count * cell.blockBytes();
      String name = FOLDER + "/" + (cell.write() ? "written-" : "read-" + bytes + "-") + i;
      if (!cell.write()) {
        prepare(files.resolve(name), bytes);
      }
      orders.add(
          new AccessOrder(name, cell.write(), cell.random(), cell.blockBytes(), count, millis, 0));
    }
    return orders;
  }

  /** The file that the first process of a cell reads. */
  static String readFile(StudyCell cell, StudyOptions options) {
    return FOLDER + "/read-" + (long) options.count(cell) * cell.blockBytes() + "-0";
  }

  static void prepare(Path file, long bytes) throws IOException {
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
  }

  private AccessGroup group(int processes) throws IOException, InterruptedException {
    if (group == null || group.size() != processes) {
      close();
      group = new AccessGroup(processes, worker, log);
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
