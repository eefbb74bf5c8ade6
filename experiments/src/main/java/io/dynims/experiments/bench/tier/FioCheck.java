package io.dynims.experiments.bench.tier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures reads of one process again by fio, to check this command's own figures. */
final class FioCheck {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e9;
  private static final int TMPFS_LOOPS = 50;

  private final int repetitions;

  FioCheck(StudyOptions options) {
    this.repetitions = options.effort().repetitions();
  }

  /** Whether fio is installed. */
  static boolean isThere() throws InterruptedException {
    try {
      return new ProcessBuilder("fio", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether fio can measure the cell. */
  static boolean covers(StudyCell cell) {
    return (cell.kind() == AccessKind.Tmpfs || cell.kind() == AccessKind.Fuse)
        && cell.state() == StudyState.Rest
        && !cell.write()
        && cell.processes() == 1;
  }

  /** Names fio's result of a cell in the journal. */
  static String id(StudyCell cell) {
    return "fio " + cell.id();
  }

  /**
   * Reads all blocks of a cell's file in each repetition. Its time is that of the operations, as in
   * this command's own figures.
   *
   * @param file which the cell itself has read before
   */
  CellResult measure(StudyCell cell, Path file, int count)
      throws IOException, InterruptedException {
    List<Long> bytes = new ArrayList<>();
    List<Double> seconds = new ArrayList<>();
    double p50 = 0;
    double p99 = 0;
    double max = 0;
    for (int i = 0; i < repetitions; i++) {
      JsonNode read = run(cell, file, count).path("jobs").path(0).path("read");
      long operations = read.path("total_ios").longValue();
      JsonNode nanos = read.path("lat_ns");
      bytes.add(operations * cell.blockBytes());
      seconds.add(operations * nanos.path("mean").doubleValue() / NANOS);
      JsonNode percentiles = read.path("clat_ns").path("percentile");
      p50 = Math.max(p50, percentiles.path("50.000000").doubleValue() / 1e3);
      p99 = Math.max(p99, percentiles.path("99.000000").doubleValue() / 1e3);
      max = Math.max(max, nanos.path("max").doubleValue() / 1e3);
    }
    return new CellResult(id(cell), bytes, seconds, seconds, p50, p99, max, new int[0], 0, null);
  }

  private JsonNode run(StudyCell cell, Path file, int count)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            "fio",
            "--name=study",
            "--filename=" + file,
            "--rw=" + (cell.random() ? "randread" : "read"),
            "--bs=" + cell.blockBytes(),
            "--size=" + (long) count * cell.blockBytes(),
            "--ioengine=psync",
            // The kernel keeps what was read of a FUSE mount's file while it is open.
            "--loops=" + (cell.kind() == AccessKind.Tmpfs ? TMPFS_LOOPS : 1),
            "--invalidate=0",
            "--fadvise_hint=0",
            "--readonly",
            "--output-format=json");
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output;
    try (var in = process.inputReader()) {
      output = in.lines().reduce("", (a, b) -> a + b + "\n");
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " has ended with " + status);
    }
    // Notes may come before the object.
    return JSON.readTree(output.substring(Math.max(0, output.indexOf('{'))));
  }
}
