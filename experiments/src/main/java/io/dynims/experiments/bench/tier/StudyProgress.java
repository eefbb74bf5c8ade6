package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.ResultJournal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The results so far, and how long the rest takes. */
final class StudyProgress {

  private static final double NANOS = 1e9;

  private final ResultJournal<CellResult> journal;
  private final PrintStream out;
  private final LongSupplier nanoTime;
  private final long startedNanos;
  private double plannedSeconds;
  private double doneSeconds;

  /**
   * Reads the results of earlier runs.
   *
   * @param tree what is measured
   * @param nanoTime the clock
   */
  StudyProgress(Path file, String tree, PrintStream out, LongSupplier nanoTime) throws IOException {
    this.journal = new ResultJournal<>(file, tree, CellResult.class, CellResult::id);
    if (journal.others() > 0) {
      out.printf("%d cells of other commits do not count%n", journal.others());
    }
    this.out = out;
    this.nanoTime = nanoTime;
    this.startedNanos = nanoTime.getAsLong();
  }

  /** Something has to be measured that takes about so long. */
  void plan(String id, double seconds) {
    if (found(id).isEmpty()) {
      plannedSeconds += seconds;
    }
  }

  /** A result, unless it is a refusal, which is tried again: an interruption looks like one. */
  Optional<CellResult> found(String id) {
    return journal.find(id).filter(result -> result.error() == null);
  }

  /** A result, or a refusal. */
  Optional<CellResult> find(String id) {
    return journal.find(id);
  }

  /**
   * Keeps a result and prints it.
   *
   * @param seconds what was planned for it
   */
  void keep(CellResult result, double seconds) throws IOException {
    journal.add(result);
    doneSeconds += seconds;
    String rate = String.format(Locale.ROOT, "%.1f MiB/s", result.rate(result.accessSeconds()));
    out.printf("%s: %s: %s%n", left(), result.id(), result.error() == null ? rate : result.error());
  }

  /** Prints a note. */
  void note(String text) {
    out.println(text);
  }

  /** Such as {@code about 12 min left}, by how long what is done took beside its plan. */
  String left() {
    double elapsed = (nanoTime.getAsLong() - startedNanos) / NANOS;
    double slowness = doneSeconds == 0 ? 1 : elapsed / doneSeconds;
    return duration(slowness * Math.max(0, plannedSeconds - doneSeconds)) + " left";
  }

  /** In words. */
  static String duration(double seconds) {
    return seconds < 90
        ? String.format(Locale.ROOT, "about %.0f s", seconds)
        : String.format(Locale.ROOT, "about %.0f min", seconds / 60);
  }
}
