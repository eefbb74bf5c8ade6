package io.dynims.experiments.bench.tier;

import io.dynims.core.wire.AckStatus;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Measures readers while their tier is resized, by this benchmark's pushes and by the loop. The
 * stack's adapter runs, the rest of the loop does not yet.
 */
final class ResizeStudy {

  private static final double HALF = 0.5;

  /** When the tier was being made smaller between two times, epoch milliseconds. */
  interface Shrinks {
    List<HopNames.Interval> between(long fromMillis, long toMillis);
  }

  /** Reads through an interface. */
  interface Reader {

    /**
     * Fills the tier with other data, and then loads the file of a cell.
     *
     * @return how many blocks were read with wrong bytes
     */
    int load(StudyCell cell) throws Exception;

    /** Reads that file for a while. */
    CellResult read(StudyCell cell, long seed, Shrinks shrinks) throws Exception;
  }

  private final BenchStack stack;
  private final List<String> settings;
  private final StudyOptions options;
  private final StudyProgress progress;
  private final StudyEstimate estimate;

  /** Blocks read with wrong bytes since the last result that was kept. */
  private int wrong;

  /**
   * A study on a stack.
   *
   * @param settings those with which the stack was started
   */
  ResizeStudy(
      BenchStack stack, List<String> settings, StudyOptions options, StudyProgress progress) {
    this.stack = stack;
    this.settings = settings;
    this.options = options;
    this.progress = progress;
    this.estimate = new StudyEstimate(options);
  }

  /** Whether passes of an interface have not been made yet. */
  static boolean isMissing(AccessKind kind, StudyOptions options, StudyProgress progress) {
    return StudyPlan.disturbances(kind, options).stream()
        .flatMap(cell -> ResizeOrder.ids(cell, options.effort().rounds()).stream())
        .anyMatch(id -> progress.found(id).isEmpty());
  }

  /** Makes the passes that have not been made yet. */
  void run(Map<AccessKind, Reader> readers) throws Exception {
    List<StudyCell> cells =
        readers.keySet().stream()
            .flatMap(kind -> StudyPlan.disturbances(kind, options).stream())
            .toList();
    int rounds = options.effort().rounds();
    passes(missing(ResizeOrder.before(cells)), readers, null);
    List<ResizeOrder.Pass> looped = missing(ResizeOrder.withLoop(cells, rounds));
    if (!looped.isEmpty()) {
      progress.note("starting the loop");
      stack.up(settings);
      try (RunningLoop loop = new RunningLoop(stack)) {
        passes(looped, readers, loop);
      }
      stack.down("kafka"); // The rest of the loop goes with it.
    }
    passes(missing(ResizeOrder.after(cells, rounds)), readers, null);
  }

  private List<ResizeOrder.Pass> missing(List<ResizeOrder.Pass> passes) {
    return ResizeOrder.without(passes, pass -> progress.found(pass.id()).isPresent());
  }

  private void passes(
      List<ResizeOrder.Pass> passes, Map<AccessKind, Reader> readers, RunningLoop loop)
      throws Exception {
    for (ResizeOrder.Pass pass : passes) {
      StudyCell cell = pass.cell();
      Reader reader = readers.get(cell.kind());
      if (pass.isWarmUp()) {
        if (loop == null) {
          resize(options.tierBytes());
        }
        wrong += reader.load(cell);
        wrong += reader.read(cell, 0, (from, to) -> List.of()).wrong();
      } else {
        CellResult result =
            loop == null
                ? pushed(cell, pass.round(), reader)
                : looped(cell, pass.round(), reader, loop);
        progress.keep(result.withId(pass.id()).withMoreWrong(wrong), estimate.passSeconds(cell));
        wrong = 0;
      }
    }
  }

  private CellResult pushed(StudyCell cell, int round, Reader reader) throws Exception {
    // Its lease keeps the node's guard from resizing the tier meanwhile.
    resize(options.tierBytes());
    wrong += reader.load(cell);
    resize(options.tierBytes());
    CellResult result;
    try (TierPusher pusher = new TierPusher(this::resize, options.tierBytes(), cell.state())) {
      result = reader.read(cell, round, (from, to) -> pusher.shrinks());
    }
    double share = cell.state().evicts() ? HALF : 1;
    return result.withLeastCapacity((long) (share * options.tierBytes()));
  }

  private CellResult looped(StudyCell cell, int round, Reader reader, RunningLoop loop)
      throws Exception {
    if (!loop.prepare(cell.state().law().orElseThrow())) {
      progress.note(cell.id() + ": the loop has not given the tier all of its memory");
    }
    wrong += reader.load(cell);
    long begin = System.currentTimeMillis();
    CellResult result;
    try (LoadProcess burst =
        cell.state().isBurst() ? loop.burst(options.effort().disturbedMillis()) : null) {
      result = reader.read(cell, round, loop::shrinks);
    }
    return result.withLeastCapacity(loop.leastCapacityBytes(begin, System.currentTimeMillis()));
  }

  private void resize(long bytes) throws Exception {
    TierRequest request =
        new TierRequest(bytes, System.currentTimeMillis(), TierRequest.MAX_LEASE_MILLIS);
    TierReply reply = stack.clients().tier().put(request);
    if (reply.status() == AckStatus.Failed) {
      throw new IOException("the adapter does not resize: " + reply.message());
    }
  }
}
