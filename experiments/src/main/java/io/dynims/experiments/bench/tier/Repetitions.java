package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects what the repetitions of a cell have measured. */
final class Repetitions {

  private final StudyCell cell;
  private final List<Long> bytes = new ArrayList<>();
  private final List<Double> accessSeconds = new ArrayList<>();
  private final List<Double> allSeconds = new ArrayList<>();
  private float[] micros = new float[0];
  private int wrong;
  private String error;

  Repetitions(StudyCell cell) {
    this.cell = cell;
  }

  /** Adds a repetition, of all processes; the slowest one counts. */
  void add(List<AccessOutcome> outcomes) {
    double access = 0;
    double all = 0;
    long operations = 0;
    for (AccessOutcome outcome : outcomes) {
      access = Math.max(access, outcome.accessSeconds());
      all = Math.max(all, outcome.openSeconds() + outcome.accessSeconds() + outcome.closeSeconds());
      operations += outcome.micros().length;
      wrong += outcome.wrong();
      error = error == null ? outcome.error() : error;
      int begin = micros.length;
      micros = Arrays.copyOf(micros, begin + outcome.micros().length);
      System.arraycopy(outcome.micros(), 0, micros, begin, outcome.micros().length);
    }
    bytes.add(operations * cell.blockBytes());
    accessSeconds.add(access);
    allSeconds.add(all);
  }

  boolean hasFailed() {
    return error != null;
  }

  CellResult result() {
    Arrays.sort(micros);
    return new CellResult(
        cell.id(),
        bytes,
        accessSeconds,
        allSeconds,
        CellResult.percentile(micros, 0.5),
        CellResult.percentile(micros, 0.99),
        CellResult.percentile(micros, 1),
        CellResult.density(micros),
        wrong,
        error);
  }
}
