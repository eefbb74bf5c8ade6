package io.dynims.experiments.bench;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reports a benchmark's findings; the output options of all benchmarks. */
public final class BenchOutput {

  enum Format {
    text,
    json
  }

  private final Path project;
  private final StealTime atStart = StealTime.now();

  /** With {@code --save} as it was at the start: what is committed meanwhile is not measured. */
  private Optional<WorkTree> saved = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "-o",
      defaultValue = "text",
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.text;

  /**
   * The options of a command line.
   *
   * @param project the project's folder
   */
  public BenchOutput(Path project) {
    this.project = project;
  }

  /**
   * Text, and with {@code save} what {@code --save} writes.
   *
   * @throws StackException if there are uncommitted changes
   */
  public BenchOutput(Path project, boolean save) throws StackException {
    this(project);
    if (save) {
      saved = Optional.of(WorkTree.committed(project));
    }
  }

  /** Refuses uncommitted changes while the command line is read, before anything is measured. */
  @Option(
      names = "--save",
      description =
          "Also write a page, its data as JSON, and plots to experiments/results; not with"
              + " uncommitted changes elsewhere.")
  void save(boolean save) {
    try {
      saved = save ? Optional.of(WorkTree.committed(project)) : Optional.empty();
    } catch (StackException e) {
      throw new ParameterException(spec.commandLine(), "--save: " + e.getMessage(), e);
    }
  }

  /**
   * Reports the findings; in JSON, as the only object on standard output. Where a goal is broken
   * that must hold, the page is saved beside that of the last sound run, with {@code -failed} in
   * its name.
   *
   * @param name the name of the benchmark
   * @param command the command line of this run
   * @param out standard output
   * @param progress standard error
   */
  public void report(
      String name, Findings findings, String command, PrintStream out, PrintStream progress)
      throws IOException {
    Provenance provenance =
        Provenance.of(
            project,
            command,
            saved.orElseGet(() -> WorkTree.of(project)).name(),
            StealTime.now().shareSince(atStart),
            Clock.systemUTC());
    String page = findings.broken().isEmpty() ? name : name + "-failed";
    Results results = new Results(page, findings, provenance);
    if (format == Format.json) {
      out.println(results.json());
    } else {
      results.text().forEach(out::println);
    }
    if (saved.isPresent()) {
      results
          .save(project.resolve("experiments/results"))
          .forEach(file -> progress.println("written: " + project.relativize(file)));
    }
  }
}
