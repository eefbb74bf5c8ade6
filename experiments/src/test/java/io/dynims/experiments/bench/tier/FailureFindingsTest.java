package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.bench.Goal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FailureFindingsTest {

  private static final StudyCell CLIENT_WRITE = cell(AccessKind.Native, true, true, 1);
  private static final StudyCell MOUNT_WRITE = cell(AccessKind.Fuse, true, true, 1);
  private static final StudyCell READ = cell(AccessKind.Fuse, false, true, 1);
  private static final String ONCE =
      "access: java.io.IOException: a file of Alluxio is written once, from start to end";

  private final Map<StudyCell, CellResult> results = new LinkedHashMap<>();
  private final Map<String, String> probes = new TreeMap<>();

  @Test
  void whatAlluxioIsKnownNotToDoHoldsWithItsReason() {
    results.put(CLIENT_WRITE, failed(CLIENT_WRITE, ONCE));
    results.put(MOUNT_WRITE, failed(MOUNT_WRITE, "access: ...: Operation not supported"));
    results.put(READ, failed(READ, null));

    assertThat(goal().met()).isTrue();
    assertThat(rows())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.get(2)).contains("once, from start to end"));
  }

  @Test
  void aFailureOfAnyOtherCellDoesNot() {
    results.put(
        READ, failed(READ, "open: java.io.IOException: Transport endpoint is not connected"));

    assertThat(goal().isBroken()).isTrue();
    assertThat(goal().measured()).isEqualTo("1 of 1: " + READ.id());
  }

  @Test
  void norDoesAnotherFailureOfACellThatIsExpectedToFail() {
    results.put(CLIENT_WRITE, failed(CLIENT_WRITE, "open: java.io.IOException: UNAVAILABLE"));

    assertThat(goal().isBroken()).isTrue();
    assertThat(rows().get(0))
        .containsExactly(
            CLIENT_WRITE.id(), "open: java.io.IOException: UNAVAILABLE", "not expected");
  }

  @Test
  void anExpectedFailureThatNowWorksIsReportedOnly() {
    results.put(MOUNT_WRITE, failed(MOUNT_WRITE, null));

    assertThat(goal().met()).isTrue();
    assertThat(rows().get(0)).contains("works, though it is expected to fail");
  }

  @Test
  void whatComesAndGoesIsNoNewsWhereItDoesNotCome() {
    StudyCell many = cell(AccessKind.Native, true, false, 8);
    results.put(many, failed(many, null));
    assertThat(rows()).isEmpty();

    results.put(many, failed(many, "access: Not enough space left on worker x"));
    assertThat(goal().met()).isTrue();
  }

  @Test
  void aWriteThatIsSilentlyWrongDoesNotHoldUnlessItIsKnown() {
    String back = "a piece at the start of a new file, after its first 256 KiB";
    probes.put("a piece at the end of a file that was closed", "refused: File exists");
    probes.put(back, "silently wrong: 266240 bytes instead of 262144");
    assertThat(goal().met()).isTrue();

    probes.put(back, "silently wrong bytes");
    assertThat(goal().isBroken()).isTrue();
    assertThat(goal().measured()).contains(back);
  }

  private Goal goal() {
    return findings().goal();
  }

  private List<List<String>> rows() {
    return findings().table().rows();
  }

  private FailureFindings findings() {
    return new FailureFindings(new StudyResults(results), probes);
  }

  private static StudyCell cell(AccessKind kind, boolean write, boolean random, int processes) {
    return new StudyCell(kind, write, random, false, 1 << 20, processes, 0, StudyState.Rest);
  }

  private static CellResult failed(StudyCell cell, String error) {
    Repetitions repetitions = new Repetitions(cell);
    repetitions.add(List.of(new AccessOutcome(0, 1, 0, new float[] {1}, List.of(), 0, error)));
    return repetitions.result();
  }
}
