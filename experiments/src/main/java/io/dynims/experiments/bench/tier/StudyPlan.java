package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.List;

/** The cells of the study, in the order in which they are measured. */
final class StudyPlan {

  private StudyPlan() {}

  /** All cells of one interface. */
  static List<StudyCell> cells(AccessKind kind, StudyOptions options) {
    List<StudyCell> cells = new ArrayList<>();
    for (StudyState state : states(kind)) {
      for (boolean write : List.of(false, true)) {
        for (boolean random : List.of(false, true)) {
          for (boolean collective : kind.isMpi() ? List.of(false, true) : List.of(false)) {
            boolean wanted = !options.effort().fewCells() || !kind.isMpi() || random != collective;
            if (wanted && (state == StudyState.Rest || (!write && !collective))) {
              series(cells, kind, write, random, collective, state, options);
            }
          }
        }
      }
    }
    for (StudyState state : disturbances(kind, options)) {
      for (int block : options.blockBytes()) {
        cells.add(new StudyCell(kind, false, true, false, block, 1, state));
      }
    }
    return cells;
  }

  private static void series(
      List<StudyCell> cells,
      AccessKind kind,
      boolean write,
      boolean random,
      boolean collective,
      StudyState state,
      StudyOptions options) {
    for (int processes : options.processes()) {
      for (int block : options.blockBytes()) {
        cells.add(new StudyCell(kind, write, random, collective, block, processes, state));
      }
    }
  }

  private static List<StudyState> states(AccessKind kind) {
    return kind == AccessKind.Native || kind == AccessKind.Fuse
        ? List.of(StudyState.Rest, StudyState.Cold)
        : List.of(StudyState.Rest);
  }

  /** The under store and a tmpfs are not resized. */
  private static List<StudyState> disturbances(AccessKind kind, StudyOptions options) {
    return switch (kind) {
      case Native, Fuse, S3, MpiIo ->
          options.effort().fewCells()
              ? List.of(StudyState.Undisturbed, StudyState.Halved)
              : List.of(StudyState.Undisturbed, StudyState.Halved, StudyState.Swinging);
      case PlainMpiIo, UnderStore, Tmpfs -> List.of();
    };
  }
}
