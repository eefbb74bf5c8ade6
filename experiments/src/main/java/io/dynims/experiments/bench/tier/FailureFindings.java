package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What interfaces did not do, and whether that is known. */
final class FailureFindings {

  private static final String NOT_EXPECTED = "not expected";
  private static final String NOW_WORKS = "works, though it is expected to fail";

  /** How many the goal names; the table has all. */
  private static final int NAMED = 5;

  private final Map<StudyCell, CellResult> results;
  private final Map<String, String> probes;

  FailureFindings(StudyResults results, Map<String, String> probes) {
    this.results = results.byCell();
    this.probes = probes;
  }

  /** Every cell can be measured, and every write is done or refused, unless it is known. */
  Goal goal() {
    List<String> unexpected =
        rows().stream()
            .filter(row -> row.get(2).equals(NOT_EXPECTED))
            .map(row -> row.get(0))
            .toList();
    int all = results.size() + probes.size();
    String named = unexpected.stream().limit(NAMED).collect(Collectors.joining(", "));
    return Goal.mustHold(
        "cells that fail and are not expected to",
        "0",
        unexpected.size() + " of " + all + (unexpected.isEmpty() ? "" : ": " + named),
        unexpected.isEmpty() && all > 0);
  }

  Table table() {
    return new Table(
        "What an interface cannot do", List.of("cell", "what it says", "expected"), rows());
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    results.forEach(
        (cell, result) -> {
          if (result.error() != null) {
            String why =
                ExpectedFailure.of(cell, result.error())
                    .map(ExpectedFailure::reason)
                    .orElse(NOT_EXPECTED);
            rows.add(List.of(cell.id(), result.error(), why));
          } else {
            ExpectedFailure.missing(cell)
                .ifPresent(known -> rows.add(List.of(cell.id(), NOW_WORKS, known.reason())));
          }
        });
    probes.forEach(
        (tried, outcome) -> {
          if (!WriteProbes.isExpected(tried, outcome)) {
            rows.add(List.of(tried, outcome, NOT_EXPECTED));
          }
        });
    return rows;
  }
}
