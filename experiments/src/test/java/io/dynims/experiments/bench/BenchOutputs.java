package io.dynims.experiments.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Output options as the command line gives them. */
public final class BenchOutputs {

  private BenchOutputs() {}

  /** Those of {@code -o json}. */
  public static BenchOutput json() {
    @Command
    final class Options {
      @CommandLine.Mixin private final BenchOutput output = new BenchOutput();
    }

    Options options = new Options();
    new CommandLine(options).parseArgs("-o", "json");
    return options.output;
  }
}
