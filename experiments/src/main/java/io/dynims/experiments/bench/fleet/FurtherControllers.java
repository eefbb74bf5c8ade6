package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.local.FreePorts;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Controllers beside that of the stack, which share the fleet with it. */
final class FurtherControllers implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 200;

  private final BenchStack stack;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Map<String, Process> running = new TreeMap<>();

  FurtherControllers(BenchStack stack) {
    this.stack = stack;
  }

  /**
   * Starts one and waits until it is ready.
   *
   * @param name which no other part of the stack has
   * @param javaOptions of the JVM
   * @param options of the program
   */
  void start(String name, List<String> javaOptions, List<String> options)
      throws ConfigException, StackException, IOException, InterruptedException {
    String address = "127.0.0.1:" + FreePorts.next();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    Path temporary = Files.createDirectories(stack.home().temporary(name));
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-jar");
    command.add(
        stack.home().project().resolve("controller/target/dynims-controller.jar").toString());
    command.add("--http.address=" + address);
    command.add("--kafka.bootstrap.servers=" + stack.settings().kafkaAddress());
    command.add("--policies.path=" + stack.home().policies());
    command.addAll(options);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(stack.home().log(name).toFile())
            .start();
    running.put(name, process);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "stop-" + name));
    awaitReady(name, process, URI.create("http://" + address + "/readyz"));
  }

  private void awaitReady(String name, Process process, URI address)
      throws ConfigException, StackException, InterruptedException {
    long startNanos = System.nanoTime();
    while (!isReady(address)) {
      boolean late =
          System.nanoTime() - startNanos > stack.settings().readyTimeoutMillis() * 1_000_000;
      if (late || !process.isAlive()) {
        throw new StackException(name + " did not start; see " + stack.home().log(name));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private boolean isReady(URI address) throws InterruptedException {
    try {
      HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // It does not listen yet.
    }
  }

  /** The process identifiers of those that run, by name. */
  Map<String, Long> pids() {
    Map<String, Long> pids = new TreeMap<>();
    running.forEach((name, process) -> pids.put(name, process.pid()));
    return pids;
  }

  /** Kills one without notice. */
  void kill(String name) {
    running.remove(name).destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    running.values().forEach(process -> process.destroyForcibly().onExit().join());
    running.clear();
  }
}
