package io.dynims.experiments.bench.law;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs the microbenchmarks, a program of their own as nothing of JMH may be part of another. */
public final class LawBench {

  private final Path program;

  /** The benchmarks of the project in this folder, which has to be built. */
  public LawBench(Path project) {
    this.program = project.resolve("experiments/jmh/target/dynims-jmh.jar");
  }

  /**
   * Runs them, some two minutes.
   *
   * @throws StackException when they are not built, or fail
   */
  public Findings run() throws IOException, InterruptedException, StackException {
    if (!Files.exists(program)) {
      throw new StackException(program + " is not there; build it with ./mvnw package -DskipTests");
    }
    Process jmh =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-jar",
                    program.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread ended = new Thread(jmh::destroy);
    Runtime.getRuntime().addShutdownHook(ended);
    JsonNode results = new ObjectMapper().readTree(jmh.getInputStream());
    int exitCode = jmh.waitFor();
    Runtime.getRuntime().removeShutdownHook(ended);
    if (exitCode != 0) {
      throw new StackException("the benchmarks ended with " + exitCode);
    }
    return LawFindings.of(results);
  }
}
