package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The cells of the study, in the order in which they are measured. */
final class StudyPlan {

  private StudyPlan() {}

  /** All cells of one interface of which nothing resizes the tier. */
  static List<StudyCell> cells(AccessKind kind, StudyOptions options) {
    List<StudyCell> cells = new ArrayList<>();
    if (!options.wants(StudyPart.Rest, kind)) {
      return cells;
    }
    for (boolean write : List.of(false, true)) {
      List<Integer> processes = counts(options.processes(), kind.isSlow(write), options);
      for (boolean random : List.of(false, true)) {
        for (boolean collective : kind.isMpi() ? List.of(false, true) : List.of(false)) {
          boolean wanted = !options.effort().fewCells() || !kind.isMpi() || random != collective;
          for (int count : wanted ? processes : List.<Integer>of()) {
            for (int block : options.blockBytes()) {
              cells.add(
                  new StudyCell(kind, write, random, collective, block, count, 0, StudyState.Rest));
            }
          }
        }
      }
    }
    if (kind == AccessKind.Native || kind == AccessKind.Fuse) {
      cells.addAll(cold(kind, options));
    }
    return cells;
  }

  /** The under store is what is measured then, so one number of processes is enough. */
  private static List<StudyCell> cold(AccessKind kind, StudyOptions options) {
    return Stream.of(false, true)
        .flatMap(
            random ->
                options.blockBytes().stream()
                    .map(
                        block ->
                            new StudyCell(
                                kind,
                                false,
                                random,
                                false,
                                block,
                                options.fewestProcesses(),
                                0,
                                StudyState.Cold)))
        .toList();
  }

  /** The cells of one interface while its tier is resized: random reads by one process. */
  static List<StudyCell> disturbances(AccessKind kind, StudyOptions options) {
    if (!options.wants(StudyPart.Resizing, kind) || !kind.isElastic()) {
      return List.of();
    }
    return options.blockBytes().stream()
        .filter(block -> options.effort().hotBytes() >= block)
        .flatMap(
            block ->
                states(options).stream()
                    .map(state -> new StudyCell(kind, false, true, false, block, 1, 0, state)))
        .toList();
  }

  private static List<StudyState> states(StudyOptions options) {
    return options.effort().fewCells()
        ? List.of(StudyState.Undisturbed, StudyState.Halved, StudyState.BurstForecast)
        : List.of(
            StudyState.Undisturbed,
            StudyState.Halved,
            StudyState.Swinging,
            StudyState.CalmForecast,
            StudyState.CalmFeedback,
            StudyState.BurstForecast,
            StudyState.BurstFeedback);
  }

  /** The cells of one interface on several nodes, a process on each. */
  static List<StudyCell> nodes(AccessKind kind, StudyOptions options) {
    List<StudyCell> cells = new ArrayList<>();
    if (!options.wants(StudyPart.Nodes, kind) || whyNoNodes(kind).isPresent()) {
      return cells;
    }
    for (boolean write : List.of(false, true)) {
      for (int nodes : counts(options.nodes(), kind.isSlow(write), options)) {
        for (boolean random : List.of(false, true)) {
          for (int block : options.blockBytes()) {
            cells.add(new StudyCell(kind, write, random, false, block, 1, nodes, StudyState.Rest));
          }
        }
      }
    }
    return cells;
  }

  /** Why an interface is not measured on several nodes; empty if it is. */
  static Optional<String> whyNoNodes(AccessKind kind) {
    return switch (kind) {
      case Native, Fuse, S3, MpiIo -> Optional.empty();
      case PlainMpiIo, UnderStore ->
          Optional.of(
              "not run: the under store is a file system of this machine, so that nodes would"
                  + " reach it without a network, as processes do");
      case Tmpfs, TmpfsHeap -> Optional.of("not run: a tmpfs belongs to one machine");
    };
  }

  /** All counts, or the fewest and the most. */
  static List<Integer> counts(List<Integer> all, boolean slow, StudyOptions options) {
    return !slow || options.effort().everyCount()
        ? all
        : Stream.of(Collections.min(all), Collections.max(all)).distinct().toList();
  }
}
