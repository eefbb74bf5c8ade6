package io.dynims.experiments.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import io.dynims.local.AtExit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program of the Spark jobs, which prints lines of JSON. */
final class SparkProcess implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The packages that Spark accesses by reflection on Java 17, as its own scripts open them. */
  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.lang.reflect",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "jdk.internal.ref",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.security.action",
          "sun.util.calendar");

  /** What to do with a line of output. */
  interface Lines {
    void accept(JsonNode line) throws Exception;
  }

  private final Process process;
  private final Path log;
  private final AtExit atExit;

  private SparkProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.atExit = new AtExit(process::destroy);
  }

  /**
   * Starts a program.
   *
   * @param target the build folder of the Spark jobs
   * @param options of its JVM, such as Spark's settings
   * @param arguments of the program
   * @param place the command line that runs a program where it belongs, such as in a control group
   */
  static SparkProcess start(
      Path target,
      List<String> options,
      List<String> arguments,
      UnaryOperator<List<String>> place,
      Path log)
      throws IOException, StackException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath(target), "io.dynims.spark.SparkJobs"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(place.apply(List.copyOf(command)))
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new SparkProcess(process, log);
  }

  /** Alluxio's client comes last, because it has copies of what Spark brings in newer versions. */
  private static String classPath(Path target) throws IOException, StackException {
    Path jar = target.resolve("dynims-spark-jobs.jar");
    if (!Files.exists(jar)) {
      throw new StackException(
          jar + " is missing; build it with ./mvnw -Pspark -DskipTests package");
    }
    try (Stream<Path> libraries = Files.list(target.resolve("lib"))) {
      return Stream.concat(
              Stream.of(jar),
              libraries.sorted(
                  Comparator.comparing(
                          (Path path) -> path.getFileName().toString().startsWith("alluxio"))
                      .thenComparing(Comparator.naturalOrder())))
          .map(Path::toString)
          .collect(Collectors.joining(":"));
    }
  }

  /**
   * Hands over each line until the program ends.
   *
   * @throws StackException if it fails
   */
  void await(Lines line) throws Exception {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line.accept(JSON.readTree(text));
      }
    }
    int code = process.waitFor();
    if (code != 0) {
      throw new StackException("the Spark job ended with " + code + "; see " + log);
    }
  }

  @Override
  public void close() {
    atExit.cancel();
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
