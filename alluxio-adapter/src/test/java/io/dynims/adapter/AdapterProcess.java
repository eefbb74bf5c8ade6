package io.dynims.adapter;

import static org.awaitility.Awaitility.await;

import io.dynims.local.JavaCommand;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The adapter as it is deployed: a process of its own. */
final class AdapterProcess implements AutoCloseable {

  private final Process process;
  private final Path log;
  private final URI uri;

  private AdapterProcess(Process process, Path log, URI uri) {
    this.process = process;
    this.log = log;
    this.uri = uri;
  }

  /**
   * Starts the program, and waits until it serves.
   *
   * @param launcher a command that runs the program, with its arguments; empty to run it directly
   * @param folder for its log
   */
  static AdapterProcess launch(List<String> launcher, List<String> arguments, Path folder)
      throws IOException {
    Path log = folder.resolve("adapter-" + System.nanoTime() + ".log");
    Process process = start(launcher, arguments, log);
    await().until(() -> Files.readString(log).contains("Tier API of"));
    String serving =
        Files.readString(log)
            .lines()
            .filter(line -> line.contains("Tier API of"))
            .findFirst()
            .orElseThrow();
    URI uri = URI.create(serving.replaceAll(".*(http://[0-9.:]+)/.*", "$1"));
    return new AdapterProcess(process, log, uri);
  }

  /** Starts the program. */
  static Process start(List<String> launcher, List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        JavaCommand.light(
            "-jar",
            System.getProperty("dynims.adapter.jar"),
            "--http.address=127.0.0.1:0",
            "--http.token.file=none",
            "--resize.budget=4s"));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  TierReply get() throws InterruptedException {
    return new TierClient(uri).get();
  }

  TierReply resize(long bytes) throws InterruptedException {
    return new TierClient(uri).put(new TierRequest(bytes, 1, 60_000));
  }

  int ready() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/readyz")).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  String metrics() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/metrics")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The lines of its log at a level. */
  List<String> log(String level) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" " + level + " ")).toList();
    }
  }

  /** Ends it at once. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Tells it to end, and waits for that. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
