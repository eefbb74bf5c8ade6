package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaperComparisonTest {

  private static final int LARGE = 10 << 20;
  private static final StudyOptions OPTIONS =
      new StudyOptions(
          List.of(StudyPart.values()),
          List.of(AccessKind.values()),
          List.of(LARGE),
          List.of(1, 8),
          List.of(1, 4),
          StudyEffort.FULL,
          1L << 30,
          16 << 20,
          75,
          200,
          FuseMount.USUAL,
          false);

  private final Map<StudyCell, CellResult> results = new LinkedHashMap<>();

  @Test
  void ratesAreComparedAsShapes() {
    put(AccessKind.Native, true, 1, 0, 4);
    put(AccessKind.Native, true, 8, 0, 1);
    put(AccessKind.Native, true, 1, 1, 3);
    put(AccessKind.Native, true, 1, 4, 1);

    List<List<String>> rows =
        new PaperComparison(OPTIONS, new StudyResults(results), Map.of()).table().rows();

    assertThat(rows)
        .contains(
            List.of("Alluxio's client, 10 MiB, random read, 8 processes to 1", "3.38", "4.00"),
            List.of(
                "Alluxio's client, 10 MiB, random read, 4 nodes to 1", "8.83 (10 to 1)", "3.00"));
  }

  @Test
  void whatWasNotMeasuredIsNotCompared() {
    assertThat(new PaperComparison(OPTIONS, new StudyResults(results), Map.of()).table().rows())
        .isEmpty();
  }

  private void put(AccessKind kind, boolean random, int processes, int nodes, double seconds) {
    StudyCell cell =
        new StudyCell(kind, false, random, false, LARGE, processes, nodes, StudyState.Rest);
    Repetitions repetitions = new Repetitions(cell);
    repetitions.add(List.of(new AccessOutcome(0, seconds, 0, new float[] {1}, List.of(), 0, null)));
    results.put(cell, repetitions.result());
  }
}
