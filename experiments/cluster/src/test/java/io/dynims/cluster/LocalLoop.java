package io.dynims.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/**
 * The local stack of {@code ./dynims} on free ports: real collectd, Kafka, Flink, controller,
 * adapter and Alluxio. Its controller is the operator of a cluster.
 */
final class LocalLoop implements AutoCloseable {

  private static final Path JAR =
      Cluster.PROJECT.resolve("experiments/target/dynims-experiments.jar");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final List<String> PORTS =
      List.of(
          "kafka.port",
          "kafka.controller.port",
          "alluxio.master.port",
          "alluxio.master.web.port",
          "alluxio.worker.port",
          "alluxio.worker.web.port",
          "flink.port",
          "controller.port",
          "adapter.port");

  private final Path home = Path.of("target", "loop").toAbsolutePath();
  private final Map<String, Integer> ports = new HashMap<>();
  private final List<String> settings = new ArrayList<>();

  /**
   * Chooses the ports; nothing runs yet.
   *
   * @param more settings of the stack, such as {@code node.name=hpc-1}
   */
  LocalLoop(String... more) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (String key : PORTS) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        ports.put(key, socket.getLocalPort());
        settings.add(key + "=" + socket.getLocalPort());
      }
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    settings.addAll(List.of(more));
  }

  /** Starts what does not run. */
  void up() {
    List<String> arguments = new ArrayList<>(List.of("up"));
    settings.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    System.out.print(run(arguments));
  }

  URI adapter() {
    return URI.create("http://127.0.0.1:" + ports.get("adapter.port"));
  }

  /** What Alluxio's own worker says that it holds, reservations included. */
  long workerUsedBytes() {
    URI web = URI.create("http://127.0.0.1:" + ports.get("alluxio.worker.web.port"));
    return get(web.resolve("/api/v1/worker/info")).at("/capacity/used").asLong(-1);
  }

  /** Ends a part with SIGKILL. */
  void kill(String part) {
    try {
      String pid = Files.readString(home.resolve("pids").resolve(part + ".pid"));
      ProcessHandle process = ProcessHandle.of(new Scanner(pid).nextLong()).orElseThrow();
      process.destroyForcibly();
      Cluster.await().until(() -> !process.isAlive());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode get(URI uri) {
    try {
      return Kubectl.json(
          HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private String run(List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Ddynims.project=" + Cluster.PROJECT,
                "-jar",
                JAR.toString()));
    command.addAll(arguments);
    return Ended.run(Map.of("DYNIMS_HOME", home.toString()), "", command).succeeded();
  }

  @Override
  public void close() {
    run(List.of("down"));
  }
}
