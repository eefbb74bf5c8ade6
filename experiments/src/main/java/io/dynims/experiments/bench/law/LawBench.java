package io.dynims.experiments.bench.law;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the microbenchmarks; they are a separate program because JMH must not become part of
 * another.
 */
public final class LawBench {

  private final Path program;

  /** The benchmarks of a built project. */
  public LawBench(Path project) {
    this.program = project.resolve("experiments/jmh/target/dynims-jmh.jar");
  }

  /**
   * Runs the benchmarks, which takes about two minutes.
   *
   * @throws StackException if they are not built, or fail
   */
  public Findings run() throws IOException, InterruptedException, StackException {
    if (!Files.exists(program)) {
      throw new StackException(program + " is missing; build it with ./mvnw package -DskipTests");
    }
    Process jmh =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-jar",
                    program.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread stopJmh = new Thread(jmh::destroy);
    Runtime.getRuntime().addShutdownHook(stopJmh);
    JsonNode results = new ObjectMapper().readTree(jmh.getInputStream());
    int exitCode = jmh.waitFor();
    Runtime.getRuntime().removeShutdownHook(stopJmh);
    if (exitCode != 0) {
      throw new StackException("the benchmarks failed with exit code " + exitCode);
    }
    return LawFindings.of(results);
  }
}
