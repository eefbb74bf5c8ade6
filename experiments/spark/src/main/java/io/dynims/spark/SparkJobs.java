package io.dynims.spark;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program: generates a data set, or runs a workload over it. */
@Command(
    name = "dynims-spark-jobs",
    mixinStandardHelpOptions = true,
    subcommands = {DataSetWriter.class, RunCommand.class},
    description = "Iterative Spark jobs that read their data set in every iteration.")
public final class SparkJobs {

  private SparkJobs() {}

  /** Runs a command and exits with its exit code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SparkJobs()).execute(args));
  }
}
