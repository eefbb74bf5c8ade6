package io.dynims.experiments.bench.tier;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What the study has found, and the measurements that add to it unless they were made before. */
final class StudyRecord {

  /** Measures something. */
  interface Measurement {
    CellResult run() throws Exception;
  }

  private final StudyOptions options;
  private final StudyProgress progress;
  private final StudyEstimate estimate;
  private final boolean hasFio;
  private final Map<StudyCell, CellResult> cells = new LinkedHashMap<>();
  private final Map<StudyCell, CellResult> byFio = new LinkedHashMap<>();
  private final Map<NetCdfCell, CellResult> netCdf = new LinkedHashMap<>();
  private final Map<String, String> probes = new TreeMap<>();

  /**
   * Nothing yet.
   *
   * @param hasFio whether figures can be checked by it
   */
  StudyRecord(StudyOptions options, StudyProgress progress, boolean hasFio) {
    this.options = options;
    this.progress = progress;
    this.estimate = new StudyEstimate(options);
    this.hasFio = hasFio;
  }

  StudyProgress progress() {
    return progress;
  }

  /** Whether a cell has still to be measured. */
  boolean isMissing(StudyCell cell) {
    return progress.found(cell.id()).isEmpty();
  }

  /** Adds a cell that was measured before. */
  void addFound(StudyCell cell) {
    progress.find(cell.id()).ifPresent(result -> cells.put(cell, result));
  }

  /** Measures a cell. */
  void measure(StudyCell cell, Measurement measurement) throws Exception {
    if (isMissing(cell)) {
      progress.keep(measurement.run(), estimate.seconds(cell));
    }
    addFound(cell);
  }

  /**
   * Measures a cell, and checks it by fio where that can be done: both in turns, as what they read
   * becomes faster while it runs.
   *
   * @param folder where the files of the cell are for programs
   */
  void measure(StudyCell cell, Path folder, FileStudy study, Measurement measurement)
      throws Exception {
    if (!hasFio || !FioCheck.covers(cell)) {
      measure(cell, measurement);
      return;
    }
    String id = FioCheck.id(cell);
    if (isMissing(cell) || progress.found(id).isEmpty()) {
      FioCheck fio = new FioCheck(cell, folder.resolve(FileStudy.readFile(cell, options)), options);
      progress.keep(study.measure(cell, fio), estimate.seconds(cell));
      progress.keep(fio.result(), estimate.fioSeconds());
    }
    addFound(cell);
    byFio.put(cell, progress.find(id).orElseThrow());
  }

  /** Measures a cell of NetCDF. */
  void measure(NetCdfCell cell, Measurement measurement) throws Exception {
    if (progress.found(cell.id()).isEmpty()) {
      progress.keep(measurement.run(), estimate.seconds(cell));
    }
    netCdf.put(cell, progress.find(cell.id()).orElseThrow());
  }

  void addProbes(Map<String, String> more) {
    probes.putAll(more);
  }

  /** Puts the passes of each cell whose tier was resized together. */
  private void addPasses() {
    for (AccessKind kind : options.kinds()) {
      for (StudyCell cell : StudyPlan.disturbances(kind, options)) {
        var passes =
            ResizeOrder.ids(cell, options.effort().rounds()).stream()
                .flatMap(id -> progress.find(id).stream())
                .toList();
        if (!passes.isEmpty()) {
          cells.put(cell, CellResult.ofPasses(cell.id(), passes));
        }
      }
    }
  }

  /** Everything. */
  StudyFindings findings() {
    addPasses();
    return new StudyFindings(options, new StudyResults(cells), byFio, netCdf, probes);
  }
}
