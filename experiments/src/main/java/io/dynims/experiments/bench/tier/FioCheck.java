package io.dynims.experiments.bench.tier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures reads of one process again by fio, to check this command's own figures: after each
 * repetition, as many passes over the same file, which fio, too, opens anew for each.
 */
final class FioCheck implements FileStudy.Beside {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e9;

  private final StudyCell cell;
  private final Path file;
  private final int count;
  private final List<Long> bytes = new ArrayList<>();
  private final List<Double> seconds = new ArrayList<>();
  private double p50;
  private double p99;
  private double max;

  /**
   * A check of a cell.
   *
   * @param file that the cell reads
   */
  FioCheck(StudyCell cell, Path file, StudyOptions options) {
    this.cell = cell;
    this.file = file;
    this.count = options.count(cell);
  }

  /** Whether fio is installed. */
  static boolean isThere() throws InterruptedException {
    try {
      return new ProcessBuilder("fio", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether fio can measure the cell. */
  static boolean covers(StudyCell cell) {
    return (cell.kind() == AccessKind.Tmpfs || cell.kind() == AccessKind.Fuse)
        && cell.state() == StudyState.Rest
        && !cell.write()
        && cell.processesInAll() == 1
        && cell.nodes() == 0;
  }

  /** Names fio's result of a cell in the journal. */
  static String id(StudyCell cell) {
    return "fio " + cell.id();
  }

  @Override
  public void run(int repetition, CellResult own) throws IOException, InterruptedException {
    long passes = Math.max(1, own.bytes().get(0) / cell.blockBytes() / count);
    JsonNode read =
        JSON.readTree(output(command(repetition, passes))).path("jobs").path(0).path("read");
    long operations = read.path("total_ios").longValue();
    JsonNode nanos = read.path("lat_ns");
    bytes.add(operations * cell.blockBytes());
    // The time of the operations, as in this command's own figures.
    seconds.add(operations * nanos.path("mean").doubleValue() / NANOS);
    JsonNode percentiles = read.path("clat_ns").path("percentile");
    p50 = Math.max(p50, percentiles.path("50.000000").doubleValue() / 1e3);
    p99 = Math.max(p99, percentiles.path("99.000000").doubleValue() / 1e3);
    max = Math.max(max, nanos.path("max").doubleValue() / 1e3);
  }

  /** All repetitions so far. */
  CellResult result() {
    return new CellResult(
        id(cell), bytes, seconds, seconds, p50, p99, max, new int[0], Map.of(), "", 0, 0, null);
  }

  private List<String> command(int repetition, long passes) {
    return List.of(
        "fio",
        "--name=study",
        "--filename=" + file,
        "--rw=" + (cell.random() ? "randread" : "read"),
        "--bs=" + cell.blockBytes(),
        "--size=" + (long) count * cell.blockBytes(),
        "--ioengine=psync",
        // Its own buffer begins 16 bytes after a page, where some processors copy at two thirds of
        // the rate.
        "--iomem_align=4096",
        "--loops=" + passes,
        "--randseed=" + repetition,
        "--thread",
        "--invalidate=0",
        "--fadvise_hint=0",
        "--readonly",
        "--output-format=json");
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
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
    return output.substring(Math.max(0, output.indexOf('{')));
  }
}
