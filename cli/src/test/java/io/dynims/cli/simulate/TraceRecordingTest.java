package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.simulation.SimulatedHint;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.TraceRecording;
import io.dynims.simulation.TraceRow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class TraceRecordingTest {

  private static final long HOUR = 3_600_000;

  @Test
  void aSimulationOfItKeepsHintsAndReportByException() throws Exception {
    var recording = new TraceRecording(decisions(0, 1_000, 100, millis -> 40));
    SimulationOptions options =
        SimulationOptions.IDEAL
            .withHints(List.of(new SimulatedHint(0, 10, 1_000)))
            .reportingByException(0.01);

    SimulationOptions recorded = recording.startingAsRecorded(options);
    assertThat(recorded.tier().startUsedBytes()).isEqualTo(40);
    assertThat(recorded.withTier(options.tier())).isEqualTo(options);
  }

  @Test
  void takesWhatTheTierHeldFromTheMemoryInUseOldestFirst() throws Exception {
    var recording =
        new TraceRecording(
            List.of(
                decision(300, 70, 50, 50L),
                decision(200, 60, 50, 50L),
                decision(200, 60, 50, 50L),
                decision(100, 40, 50, 45L)));

    assertThat(recording.rows())
        .containsExactly(
            new TraceRow(100, 0, 1000), new TraceRow(200, 10, 1000), new TraceRow(300, 20, 1000));
    assertThat(csv(recording)).startsWith("millis,jobBytes,totalBytes\n100,0,1000\n");
  }

  @Test
  void knowsTheDemandOnlyWhereTheTierIsNotFullAndDoesNotGrow() throws Exception {
    // Fills up to 40 of 50 within 4 s, stays there until 20 s, and is full from then on.
    LongUnaryOperator used = millis -> millis >= 20_000 ? 50 : Math.min(40, millis / 100);
    List<TraceRow> rows = new TraceRecording(decisions(0, 30_000, 100, used)).rows();

    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(row.demandBytes())
                    .as("at %d", row.millis())
                    .isEqualTo(row.millis() >= 14_000 && row.millis() < 20_000 ? 40L : null));
    assertThat(csv(new TraceRecording(decisions(0, 30_000, 100, used))))
        .startsWith("millis,jobBytes,totalBytes,demandBytes\n0,500,1000,\n")
        .contains("15000,500,1000,40\n");
  }

  @Test
  void canBeSimulatedAgain() throws Exception {
    String text = csv(new TraceRecording(decisions(0, 20_000, 100, millis -> 40)));

    TraceReader reader = Runs.trace(text);
    int rows = 0;
    while (reader.next() != null) {
      rows++;
    }
    assertThat(rows).isEqualTo(200);
  }

  @Test
  void saysThatTheHistoryIsShorterThanAskedFor() throws Exception {
    var notes = new RecordingNotes(new TraceRecording(decisions(0, 60_000, 100, millis -> 50)));

    assertThat(notes.lines(HOUR, 60_000))
        .containsExactly(
            "600 rows of 59.9 s",
            "less than asked for: the controller's history begins 60.0 s ago, not 60 min");
    assertThat(notes.lines(60_000, 60_000)).hasSize(1);
    assertThat(notes.lines(0, 60_000)).as("a number of decisions").hasSize(1);
  }

  @Test
  void saysWhatIsDownsampledAndWhereGapsAre() throws Exception {
    List<Target> decisions = new ArrayList<>(decisions(0, HOUR - 300_000, 15_000, millis -> 50));
    decisions.addAll(decisions(HOUR - 300_000, HOUR - 200_000, 100, millis -> 50));
    decisions.addAll(decisions(HOUR - 190_000, HOUR, 100, millis -> 50));

    assertThat(new RecordingNotes(new TraceRecording(decisions)).lines(HOUR, HOUR))
        .containsExactly(
            "3120 rows of 59 min",
            "downsampled: the first 220 rows, more than 5 min ago, are two per half minute; later"
                + " ones 100 ms apart",
            "1 gap of 10.1 s: a simulation takes the row before a gap for all of it");
  }

  @Test
  void leavesOutDecisionsThatDoNotSayWhatTheTierHeld() throws Exception {
    var recording =
        new TraceRecording(List.of(decision(200, 60, 50, 50L), decision(100, 60, 50, null)));

    assertThat(recording.rows()).hasSize(1);
    assertThat(new RecordingNotes(recording).lines(0, 200))
        .contains("1 decisions left out: they do not say what the tier held");
  }

  private static String csv(TraceRecording recording) {
    StringWriter text = new StringWriter();
    recording.print(new PrintWriter(text));
    return text.toString();
  }

  /** From one time until before another, with 500 bytes of job memory and a capacity of 50. */
  private static List<Target> decisions(
      long fromMillis, long toMillis, long stepMillis, LongUnaryOperator usedBytes)
      throws WireException {
    List<Target> decisions = new ArrayList<>();
    for (long millis = fromMillis; millis < toMillis; millis += stepMillis) {
      long used = usedBytes.applyAsLong(millis);
      decisions.add(0, decision(millis, 500 + used, 50, used));
    }
    return decisions;
  }

  /** As a controller sends it. */
  static Target decision(long millis, long memoryUsed, long capacity, Long tierUsed)
      throws WireException {
    return WireCodec.TARGET.decode(json(millis, memoryUsed, capacity, tierUsed).getBytes(UTF_8));
  }

  static String json(long millis, long memoryUsed, long capacity, Long tierUsed) {
    return """
    {"node": "node-1", "tier": "alluxio", "desiredBytes": %d, "previousBytes": %d, %s
     "memoryUsedBytes": %d, "memoryTotalBytes": 1000, "utilization": 0.5, "action": "Hold",
     "reason": "", "limitedBy": "None", "sampledMillis": %d, "decidedMillis": %d}
    """
        .formatted(
            capacity,
            capacity,
            tierUsed == null ? "" : "\"tierUsedBytes\": " + tierUsed + ",",
            memoryUsed,
            millis,
            millis);
  }
}
