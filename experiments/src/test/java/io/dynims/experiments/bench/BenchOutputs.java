package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Output as on the command line. */
public final class BenchOutputs {

  private BenchOutputs() {}

  /** What {@code -o json} prints. */
  public static JsonNode json(String name, Findings findings, Path project) throws Exception {
    @Command
    final class Options {
      @CommandLine.Mixin private final BenchOutput output = new BenchOutput(project);
    }

    Options options = new Options();
    new CommandLine(options).parseArgs("-o", "json");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, UTF_8);
    options.output.report(name, findings, "test", printed, System.out);
    return new ObjectMapper().readTree(out.toString(UTF_8));
  }
}
