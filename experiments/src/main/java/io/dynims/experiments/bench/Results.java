package io.dynims.experiments.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.stack.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats findings as a page with plots, as text and as JSON. */
final class Results {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final String name;
  private final Findings findings;
  private final Provenance provenance;

  /**
   * The results of one run.
   *
   * @param name the name of the benchmark and of its files
   */
  Results(String name, Findings findings, Provenance provenance) {
    this.name = name;
    this.findings = findings;
    this.provenance = provenance;
  }

  /**
   * Writes {@code <name>.md}, {@code <name>.json} and each figure as SVG and CSV, and returns their
   * paths.
   */
  List<Path> save(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> written = new ArrayList<>();
    written.add(Files.writeString(folder.resolve(name + ".md"), markdown()));
    written.add(Files.writeString(folder.resolve(name + ".json"), json() + "\n"));
    for (Figure figure : findings.figures()) {
      Path svg = folder.resolve(fileName(figure));
      written.add(Files.writeString(svg, figure.svg()));
      if (!figure.csv().isEmpty()) {
        String csv = svg.getFileName().toString().replace(".svg", ".csv");
        written.add(Files.writeString(folder.resolve(csv), figure.csv()));
      }
    }
    return written;
  }

  String json() throws JsonProcessingException {
    ObjectNode object = JSON.valueToTree(findings.json());
    object.set("goals", JSON.valueToTree(findings.goals()));
    object.set("provenance", JSON.valueToTree(provenance));
    return JSON.writeValueAsString(object);
  }

  String markdown() {
    List<String> lines = new ArrayList<>(List.of("# " + findings.title(), ""));
    lines.add("| | |");
    lines.add("| --- | --- |");
    provenanceRows().forEach(row -> lines.add("| " + row.get(0) + " | " + row.get(1) + " |"));
    lines.add("");
    findings.method().forEach(sentence -> lines.add("- " + sentence));
    for (Table table : tables()) {
      lines.addAll(List.of("", "## " + table.caption(), ""));
      lines.addAll(table.markdown());
    }
    for (Figure figure : findings.figures()) {
      lines.addAll(List.of("", "![" + figure.title() + "](" + fileName(figure) + ")"));
    }
    return String.join("\n", lines) + "\n";
  }

  List<String> text() {
    List<String> lines = new ArrayList<>(List.of(findings.title()));
    for (Table table : tables()) {
      lines.addAll(List.of("", table.caption()));
      table.text().forEach(line -> lines.add("  " + line));
    }
    lines.add("");
    lines.addAll(Text.table(provenanceRows()));
    return lines;
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    if (!findings.goals().isEmpty()) {
      tables.add(Goal.table(findings.goals()));
    }
    tables.addAll(findings.tables());
    return tables;
  }

  private List<List<String>> provenanceRows() {
    String versions =
        provenance.versions().entrySet().stream()
            .map(version -> version.getKey() + " " + version.getValue())
            .collect(Collectors.joining(", "));
    return List.of(
        List.of("command", "`" + provenance.command() + "`"),
        List.of("date", provenance.date()),
        List.of("commit", provenance.commit()),
        List.of("machine", provenance.machine()),
        List.of(
            "taken by its hypervisor",
            String.format(
                Locale.ROOT,
                "%.1f %% of the processors' time during the run (steal)",
                100 * provenance.stolenRatio())),
        List.of("versions", versions));
  }

  private String fileName(Figure figure) {
    return name + "-" + figure.name() + ".svg";
  }
}
