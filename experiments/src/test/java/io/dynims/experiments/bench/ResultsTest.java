package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.plot.Axis;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

  private static final Findings FINDINGS =
      new Findings(
          "How fast",
          Map.of("ratio", 0.5),
          List.of("Measured twice."),
          List.of(Goal.figure("ratio", "at least 0.7", "0.5", false)),
          List.of(new Table("Rates", List.of("a|b", "c"), List.of(List.of("1", "2")))),
          List.of(
              new BarPlot(
                  "rates",
                  "Rates",
                  List.of("x"),
                  Axis.linear("y"),
                  List.of(new BarPlot.Series("s", List.of(1.0))))));

  private static final Provenance PROVENANCE =
      new Provenance(
          "2026-01-02T03:04:05Z",
          "./dynims bench x --save",
          "abc",
          "2 processors",
          0.035,
          Map.of("Java", "17"));

  private final Results results = new Results("x", FINDINGS, PROVENANCE);

  @TempDir private Path folder;

  @Test
  void writesAPageThatNamesMachineVersionsCommitDateAndCommand() {
    assertThat(results.markdown())
        .startsWith("# How fast\n")
        .contains(
            "| command | `./dynims bench x --save` |",
            "| date | 2026-01-02T03:04:05Z |",
            "| commit | abc |",
            "| machine | 2 processors |",
            "| taken by its hypervisor | 3.5 % of the processors' time during the run (steal) |",
            "| versions | Java 17 |",
            "- Measured twice.",
            "| ratio | at least 0.7 | 0.5 | – | no |",
            "## Rates",
            "| a\\|b | c |",
            "| 1 | 2 |",
            "![Rates](x-rates.svg)");
  }

  @Test
  void savesThePageItsDataAndItsPlots() throws Exception {
    assertThat(results.save(folder.resolve("results")))
        .containsExactly(
            folder.resolve("results/x.md"),
            folder.resolve("results/x.json"),
            folder.resolve("results/x-rates.svg"),
            folder.resolve("results/x-rates.csv"))
        .allSatisfy(file -> assertThat(file).isNotEmptyFile());
    assertThat(folder.resolve("results/x.json")).hasContent(results.json());
  }

  @Test
  void hasDataGoalsAndProvenanceInItsJson() throws Exception {
    JsonNode json = new ObjectMapper().readTree(results.json());

    assertThat(json.get("ratio").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/goals/0/measured").asText()).isEqualTo("0.5");
    assertThat(json.at("/provenance/commit").asText()).isEqualTo("abc");
  }

  @Test
  void showsTablesAndProvenanceInATerminal() {
    assertThat(String.join("\n", results.text()))
        .contains("How fast", "Goals", "at least 0.7", "Rates", "2 processors", "abc");
  }
}
