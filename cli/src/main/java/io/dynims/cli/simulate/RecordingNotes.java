package io.dynims.cli.simulate;

import io.dynims.cli.stack.Text;
import io.dynims.simulation.TraceRecording;
import io.dynims.simulation.TraceRow;
import java.util.ArrayList;
import java.util.List;

/** Says for people how far a recorded trace reaches, and where it is not exact. */
public final class RecordingNotes {

  /** Steps of more than this many usual steps are gaps. */
  private static final long GAP_STEPS = 5;

  /** So many usual steps in a row are not downsampled. */
  private static final int DENSE_STEPS = 10;

  private final TraceRecording recording;
  private final List<TraceRow> rows;

  /** Notes on a recording with at least one row. */
  public RecordingNotes(TraceRecording recording) {
    this.recording = recording;
    this.rows = recording.rows();
  }

  /**
   * Says how the trace differs from what was asked for.
   *
   * @param askedMillis the time span asked for; 0 if it was a number of decisions
   */
  public List<String> lines(long askedMillis, long nowMillis) {
    List<String> notes = new ArrayList<>();
    long firstMillis = rows.get(0).millis();
    long lastMillis = rows.get(rows.size() - 1).millis();
    notes.add(rows.size() + " rows of " + Text.millis(lastMillis - firstMillis));
    long reachMillis = nowMillis - firstMillis;
    if (askedMillis > 0 && reachMillis < askedMillis * 0.95) {
      notes.add(
          "less than asked for: the controller's history begins "
              + Text.millis(reachMillis)
              + " ago, not "
              + Text.millis(askedMillis));
    }
    long stepMillis = usualStepMillis();
    int dense = firstDense(stepMillis);
    if (dense > 0) {
      notes.add(
          "downsampled: the first "
              + dense
              + " rows, more than "
              + Text.millis(nowMillis - rows.get(dense).millis())
              + " ago, are two per half minute; later ones "
              + Text.millis(stepMillis)
              + " apart");
    }
    addGaps(notes, dense, stepMillis);
    if (recording.withoutTierUse() > 0) {
      notes.add(
          recording.withoutTierUse() + " decisions left out: they do not say what the tier held");
    }
    return notes;
  }

  private void addGaps(List<String> notes, int dense, long stepMillis) {
    long gaps = 0;
    long longestMillis = 0;
    for (int i = dense + 1; i < rows.size(); i++) {
      if (stepMillis(i) > GAP_STEPS * stepMillis) {
        gaps++;
        longestMillis = Math.max(longestMillis, stepMillis(i));
      }
    }
    if (gaps > 0) {
      notes.add(
          gaps
              + (gaps == 1 ? " gap of " : " gaps of up to ")
              + Text.millis(longestMillis)
              + ": a simulation takes the row before a gap for all of it");
    }
  }

  /** The first row of the part that is not downsampled; 0 if all is alike. */
  private int firstDense(long stepMillis) {
    int usual = 0;
    for (int i = 1; i < rows.size(); i++) {
      usual = stepMillis(i) <= GAP_STEPS * stepMillis ? usual + 1 : 0;
      if (usual == DENSE_STEPS) {
        return i - DENSE_STEPS;
      }
    }
    return 0;
  }

  /** The median step of the newest rows, which are never downsampled. */
  private long usualStepMillis() {
    List<Long> steps = new ArrayList<>();
    for (int i = Math.max(1, rows.size() - 100); i < rows.size(); i++) {
      steps.add(stepMillis(i));
    }
    steps.sort(null);
    return steps.isEmpty() ? 1 : steps.get(steps.size() / 2);
  }

  private long stepMillis(int i) {
    return rows.get(i).millis() - rows.get(i - 1).millis();
  }
}
