package io.dynims.experiments.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import picocli.CommandLine.Option;

/** Reports a benchmark's findings; the output options of all benchmarks. */
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
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Option(names = "--save", description = "Also write a page and plots to experiments/results.")
  private boolean save;

  private final StealTime atStart = StealTime.now();

  /** The options of a command line. */
  public BenchOutput() {}

  /** Text, and with {@code save} also a page and plots. */
  public BenchOutput(boolean save) {
    this.format = Format.text;
    this.save = save;
  }

  /**
   * Reports the findings; in JSON, as the only object on standard output.
   *
   * @param name the name of the benchmark
   * @param command the command line of this run
   * @param project the project's folder
   * @param out standard output
   * @param progress standard error
   */
  public void report(
      String name,
      Findings findings,
      String command,
      Path project,
      PrintStream out,
      PrintStream progress)
      throws IOException {
    Provenance provenance =
        Provenance.of(project, command, StealTime.now().shareSince(atStart), Clock.systemUTC());
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
