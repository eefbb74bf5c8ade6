package io.dynims.flink;

import static org.awaitility.Awaitility.await;

import io.dynims.local.JavaCommand;
import io.dynims.testing.Signals;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A JVM of its own, ended with the test. */
final class JavaProcess implements AutoCloseable {

  /** What is shipped, as the build has just made it. */
  static final String JOB_JAR = "target/dynims-flink-job.jar";

  static final String LIB = "target/lib/*";

  private final Process process;
  private final Path log;

  JavaProcess(Path log, String classPath, String... arguments) throws IOException {
    this.log = log;
    List<String> command =
        JavaCommand.light(
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"), "-cp", classPath);
    command.addAll(List.of(arguments));
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** The job as it runs without a Flink cluster. */
  static JavaProcess job(Path log, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-Xmx256m", DynimsJob.class.getName()));
    arguments.addAll(List.of(options));
    return new JavaProcess(log, JOB_JAR + ":" + LIB, arguments.toArray(String[]::new));
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    Signals.send(process.toHandle(), name);
  }

  /** Sends SIGTERM; returns the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** What a port of loopback serves to Prometheus. */
  static String metrics(int port) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Waits until a job has counted so many skipped samples; returns how many there are then. */
  static double awaitSkipped(int port, double atLeast) {
    AtomicReference<Double> skipped = new AtomicReference<>();
    await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> {
              skipped.set(
                  metrics(port)
                      .lines()
                      .filter(line -> line.contains("deserializer_skippedMessages{"))
                      .filter(line -> line.contains("Source:_metrics"))
                      .mapToDouble(
                          line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                      .sum());
              return skipped.get() >= atLeast;
            });
    return skipped.get();
  }

  /** The addresses that it listens on, in hexadecimal, as Linux tells them. */
  List<String> listening() throws IOException {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    Set<String> sockets = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (Files.isSymbolicLink(descriptor)) {
          sockets.add(Files.readSymbolicLink(descriptor).toString());
        }
      }
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(proc.resolve(table))) {
        // Its fields: number, local address and port, remote ones, state (0A is listening), …,
        // inode.
        List<String> fields = List.of(line.strip().split("\\s+"));
        if (fields.get(3).equals("0A") && sockets.contains("socket:[" + fields.get(9) + "]")) {
          addresses.add(fields.get(1));
        }
      }
    }
    return addresses;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
