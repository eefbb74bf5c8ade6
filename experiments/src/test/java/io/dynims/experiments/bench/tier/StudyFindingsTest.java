package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.plot.Figure;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StudyFindingsTest {

  private static final StudyOptions OPTIONS =
      new StudyOptions(
          List.of(StudyPart.values()),
          List.of(AccessKind.values()),
          List.of(16 << 10, 1 << 20),
          List.of(1, 2),
          List.of(1, 2),
          StudyEffort.FULL,
          1L << 30,
          16 << 20,
          75,
          200,
          FuseMount.USUAL,
          false);
  private static final StudyCell HALVED = random(AccessKind.Fuse, StudyState.Halved);
  private static final StudyCell UNDISTURBED = random(AccessKind.Fuse, StudyState.Undisturbed);
  private static final StudyCell TMPFS = random(AccessKind.Tmpfs, StudyState.Rest);

  private final Map<StudyCell, CellResult> results = new LinkedHashMap<>();

  StudyFindingsTest() {
    for (AccessKind kind : OPTIONS.kinds()) {
      StudyPlan.cells(kind, OPTIONS).forEach(cell -> results.put(cell, took(cell, 100)));
      StudyPlan.disturbances(kind, OPTIONS).forEach(cell -> results.put(cell, took(cell, 100)));
      StudyPlan.nodes(kind, OPTIONS).forEach(cell -> results.put(cell, took(cell, 100)));
    }
  }

  @Test
  void allCellsTheSameMeetTheGoals() {
    assertThat(goals(Map.of(TMPFS, took(TMPFS, 105)))).hasSize(7).allMatch(Goal::met);
  }

  @Test
  void slowReadersOfATierThatIsHalvedMissTheirs() {
    results.put(HALVED, took(HALVED, 250));
    results.put(UNDISTURBED, took(UNDISTURBED, 100));

    assertThat(missed(Map.of())).containsExactly("2.50");
  }

  @Test
  void soDoThoseBesideABurstUnderALaw() {
    StudyCell burst = random(AccessKind.MpiIo, StudyState.BurstFeedback);
    results.put(burst, took(burst, 300));

    assertThat(missed(Map.of())).containsExactly("3.00");
  }

  @Test
  void theClientIsComparedWithWhatReadsIntoTheHeapToo() {
    StudyCell read =
        new StudyCell(AccessKind.Native, false, false, false, 1 << 20, 1, 0, StudyState.Rest);
    results.put(read, took(read, 200));

    assertThat(missed(Map.of())).containsExactly("0.500");
  }

  @Test
  void interfacesThatHaveNoNodesAreInTheirTables() {
    assertThat(findings(Map.of()).tables())
        .filteredOn(table -> table.caption().startsWith("random read on nodes"))
        .singleElement()
        .satisfies(
            table ->
                assertThat(table.rows())
                    .anyMatch(row -> row.get(0).startsWith("tmpfs, not run: "))
                    .anyMatch(row -> row.get(0).equals("Alluxio's client, 2 nodes")));
  }

  @Test
  void figuresThatFioDoesNotConfirmMissTheirs() {
    assertThat(missed(Map.of(TMPFS, took(TMPFS, 50)))).containsExactly("0.500");
  }

  @Test
  void aWrongValueOfNetCdfBreaksIt() {
    NetCdfCell cell = new NetCdfCell(true, false, true, true, 16 << 10, 1);
    CellResult wrong = took(TMPFS, 100).withMoreWrong(1);

    assertThat(
            new StudyFindings(
                    OPTIONS, new StudyResults(results), Map.of(), Map.of(cell, wrong), Map.of())
                .findings()
                .broken())
        .singleElement()
        .satisfies(goal -> assertThat(goal.measured()).startsWith("1 in 1 of "));
  }

  @Test
  void everyTableAndFigureHasData() {
    Findings findings = findings(Map.of(TMPFS, took(TMPFS, 100)));

    assertThat(findings.tables())
        .filteredOn(table -> !table.caption().startsWith("What an interface cannot do"))
        .allSatisfy(table -> assertThat(table.rows()).as(table.caption()).isNotEmpty())
        .extracting(Table::caption)
        .doesNotHaveDuplicates();
    assertThat(findings.figures())
        .hasSizeGreaterThan(6)
        .allSatisfy(figure -> assertThat(figure.svg()).startsWith("<svg"))
        .extracting(Figure::name)
        .doesNotHaveDuplicates();
  }

  private static StudyCell random(AccessKind kind, StudyState state) {
    return new StudyCell(kind, false, true, false, 1 << 20, 1, 0, state);
  }

  private static CellResult took(StudyCell cell, int micros) {
    Repetitions repetitions = new Repetitions(cell);
    SlowAccess slow = new SlowAccess(0, micros, 0, 0, 0, false);
    repetitions.add(
        List.of(
            new AccessOutcome(0, micros / 1e6, 0, new float[] {micros}, List.of(slow), 0, null)));
    return repetitions.result();
  }

  private Findings findings(Map<StudyCell, CellResult> byFio) {
    return new StudyFindings(OPTIONS, new StudyResults(results), byFio, Map.of(), Map.of())
        .findings();
  }

  private List<Goal> goals(Map<StudyCell, CellResult> byFio) {
    return findings(byFio).goals();
  }

  private List<String> missed(Map<StudyCell, CellResult> byFio) {
    return goals(byFio).stream().filter(goal -> !goal.met()).map(Goal::measured).toList();
  }
}
