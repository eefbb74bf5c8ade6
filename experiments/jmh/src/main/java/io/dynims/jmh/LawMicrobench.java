package io.dynims.jmh;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.flink.Collectd;
import java.io.PrintStream;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all microbenchmarks and prints one JSON object: nanoseconds and bytes per call, by class and
 * method. Progress goes to standard error.
 */
public final class LawMicrobench {

  private LawMicrobench() {}

  /**
   * Runs the microbenchmarks.
   *
   * @param args the seconds of each measurement; 1 if omitted
   */
  public static void main(String[] args) throws RunnerException {
    int seconds = args.length == 0 ? 1 : Integer.parseInt(args[0]);
    PrintStream progress = System.err;
    Collection<RunResult> results =
        new Runner(
                options(seconds),
                OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL))
            .run();
    System.out.println(json(results));
  }

  private static Options options(int seconds) {
    return new OptionsBuilder()
        .include("^" + Law.class.getName() + "\\.")
        .include("^" + Codec.class.getName() + "\\.")
        .include("^" + Collectd.class.getName() + "\\.")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .warmupIterations(3)
        .warmupTime(TimeValue.seconds(seconds))
        .measurementIterations(5)
        .measurementTime(TimeValue.seconds(seconds))
        .forks(1)
        // Not the options of the caller, which may disable the optimizing compiler.
        .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC")
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .build();
  }

  private static ObjectNode json(Collection<RunResult> results) {
    ObjectNode json = new ObjectMapper().createObjectNode();
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark();
      String[] parts = name.split("\\.", -1);
      ObjectNode figures =
          json.withObjectProperty(parts[parts.length - 2]).putObject(parts[parts.length - 1]);
      figures.put("nanos", result.getPrimaryResult().getScore());
      figures.put("nanosError", result.getPrimaryResult().getScoreError());
      figures.put("bytes", result.getSecondaryResults().get("gc.alloc.rate.norm").getScore());
    }
    return json;
  }
}
