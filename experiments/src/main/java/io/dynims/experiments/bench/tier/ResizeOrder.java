package io.dynims.experiments.bench.tier;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * In which order passes are made while a tier is resized. Programs become faster while they run,
 * and machines slower or faster; so the second half of the passes comes in the opposite order of
 * the first, and what changes at a steady rate affects all states alike. The loop runs in the
 * middle only, as its programs would take part in the passes without it.
 */
final class ResizeOrder {

  /**
   * A pass.
   *
   * @param round from 1 on
   * @param isWarmUp whether it makes the programs warm and does not count
   */
  record Pass(StudyCell cell, int round, boolean isWarmUp) {

    /** Names it in the journal. */
    String id() {
      return cell.id() + " pass " + round;
    }
  }

  private ResizeOrder() {}

  /** The passes before the loop is started. */
  static List<Pass> before(List<StudyCell> cells) {
    return phase(cells.stream().filter(cell -> cell.state().law().isEmpty()).toList(), 1);
  }

  /** The passes while the loop runs. */
  static List<Pass> withLoop(List<StudyCell> cells, int rounds) {
    List<StudyCell> own = cells.stream().filter(cell -> cell.state().law().isPresent()).toList();
    List<Pass> passes = new ArrayList<>(phase(own, 1));
    if (rounds > 1) {
      passes.addAll(phase(reversed(own), 2));
    }
    return passes;
  }

  /** The passes after the loop was stopped. */
  static List<Pass> after(List<StudyCell> cells, int rounds) {
    List<StudyCell> own = cells.stream().filter(cell -> cell.state().law().isEmpty()).toList();
    return rounds > 1 ? phase(reversed(own), 2) : List.of();
  }

  /** The ids of all passes of a cell. */
  static List<String> ids(StudyCell cell, int rounds) {
    return IntStream.rangeClosed(1, rounds)
        .mapToObj(round -> new Pass(cell, round, false).id())
        .toList();
  }

  /** The passes that have not been made, each with the warm-up before it. */
  static List<Pass> without(List<Pass> passes, Predicate<Pass> isMade) {
    List<Pass> rest = new ArrayList<>();
    Pass warmUp = null;
    for (Pass pass : passes) {
      if (pass.isWarmUp()) {
        warmUp = pass;
      } else if (!isMade.test(pass)) {
        if (warmUp != null) {
          rest.add(warmUp);
          warmUp = null;
        }
        rest.add(pass);
      }
    }
    return rest;
  }

  /** A warm-up comes before the first cell of each interface and size. */
  private static List<Pass> phase(List<StudyCell> cells, int round) {
    List<Pass> passes = new ArrayList<>();
    StudyCell last = null;
    for (StudyCell cell : cells) {
      StudyCell undisturbed = cell.in(StudyState.Undisturbed);
      if (!undisturbed.equals(last)) {
        passes.add(new Pass(undisturbed, round, true));
      }
      passes.add(new Pass(cell, round, false));
      last = undisturbed;
    }
    return passes;
  }

  private static List<StudyCell> reversed(List<StudyCell> cells) {
    List<StudyCell> reversed = new ArrayList<>(cells);
    Collections.reverse(reversed);
    return reversed;
  }
}
