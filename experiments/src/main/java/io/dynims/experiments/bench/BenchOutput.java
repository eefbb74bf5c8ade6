package io.dynims.experiments.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine.Option;

/** How a benchmark's findings are told; the options that all benchmarks have. */
public final class BenchOutput {

  enum Format {
    text,
    json
  }

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Option(
      names = "-o",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
  private Format format;

  @Option(names = "--save", description = "Also write a page and plots to experiments/results.")
  private boolean save;

  private final StealTime atStart = StealTime.now();

  /**
   * Tells the findings: with JSON one object, and nothing else, on standard output.
   *
   * @param name of the benchmark
   * @param arguments of this run's command line
   * @param project the project's folder
   * @param out standard output
   * @param progress standard error
   */
  public void tell(
      String name,
      Findings findings,
      List<String> arguments,
      Path project,
      PrintStream out,
      PrintStream progress)
      throws IOException {
    Provenance provenance =
        Provenance.of(
            project,
            "./dynims " + String.join(" ", arguments),
            StealTime.now().shareSince(atStart),
            Clock.systemUTC());
    Results results = new Results(name, findings, provenance);
    if (format == Format.json) {
      out.println(JSON.writeValueAsString(json(findings, provenance)));
    } else {
      results.text().forEach(out::println);
    }
    if (save) {
      results
          .save(project.resolve("experiments/results"))
          .forEach(file -> progress.println("written: " + project.relativize(file)));
    }
  }

  private static ObjectNode json(Findings findings, Provenance provenance) {
    ObjectNode object = JSON.valueToTree(findings.json());
    object.set("goals", JSON.valueToTree(findings.goals()));
    object.set("provenance", JSON.valueToTree(provenance));
    return object;
  }
}
