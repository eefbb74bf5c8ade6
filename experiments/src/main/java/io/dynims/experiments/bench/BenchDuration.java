package io.dynims.experiments.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long a benchmark measures; the options of those that measure for a time. */
public final class BenchDuration {

  private static final int MAX_SECONDS = 3_600;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds of each measurement. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds to run before each measurement. Default: ${DEFAULT-VALUE}.")
  private int warmUpSeconds;

  /** The defaults of a benchmark. */
  public BenchDuration(int seconds, int warmUpSeconds) {
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
  }

  public int seconds() {
    return checked("--seconds", seconds, 1);
  }

  public int warmUpSeconds() {
    return checked("--warm-up", warmUpSeconds, 0);
  }

  private int checked(String option, int value, int min) {
    if (value < min || value > MAX_SECONDS) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + value + " is not from " + min + " to " + MAX_SECONDS);
    }
    return value;
  }
}
