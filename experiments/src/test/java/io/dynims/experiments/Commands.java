package io.dynims.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.CliContext;
import io.dynims.cli.Dynims;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands as the script runs them, with what they print. */
public final class Commands {

  private final CliContext context;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /**
   * What a command came to.
   *
   * @param out its standard output
   * @param err its standard error
   */
  public record Outcome(int exitCode, String out, String err) {}

  private Commands(Path project, Path home) {
    this.context =
        new CliContext(
            project,
            Map.of("DYNIMS_HOME", home.toString()),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
  }

  /** Runs a command of a project with its state in a folder. */
  public static Outcome run(Path project, Path home, String... args) {
    Commands commands = new Commands(project, home);
    return commands.outcome(Experiments.run(commands.context, args));
  }

  /** Reports findings as a benchmark by the name of {@code planted} would, with its arguments. */
  public static Outcome report(Findings findings, Path project, String... args) {
    Commands commands = new Commands(project, project.resolve("home"));
    List<CommandLine> planted = List.of(new CommandLine(new Planted(findings, commands.context)));
    List<String> line = new ArrayList<>(List.of("planted"));
    line.addAll(List.of(args));
    return commands.outcome(Dynims.run(commands.context, planted, line.toArray(String[]::new)));
  }

  private Outcome outcome(int exitCode) {
    return new Outcome(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  @Command(name = "planted")
  private static final class Planted implements Callable<Integer> {

    private final Findings findings;
    private final CliContext context;

    @Mixin private final BenchOutput output;
    @Spec private CommandSpec spec;

    Planted(Findings findings, CliContext context) {
      this.findings = findings;
      this.context = context;
      this.output = new BenchOutput(context.project());
    }

    @Override
    public Integer call() throws Exception {
      return BenchCommand.report(output, "planted", findings, spec, context);
    }
  }
}
