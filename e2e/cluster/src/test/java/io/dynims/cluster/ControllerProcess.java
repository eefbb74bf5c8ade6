package io.dynims.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A replica of the controller in a process of its own, with the options that the chart gives to its
 * JVM.
 */
public final class ControllerProcess implements AutoCloseable {

  private static final Path JAR =
      Cluster.PROJECT.resolve("controller/target/dynims-controller.jar");
  private static final Path VALUES = Cluster.PROJECT.resolve("charts/dynims/values.yaml");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final long END_SECONDS = 15;

  private final Process process;
  private final URI address;
  private final Path log;

  private ControllerProcess(Process process, URI address, Path log) {
    this.process = process;
    this.address = address;
    this.log = log;
  }

  /**
   * Starts a replica and returns when it is ready.
   *
   * @param identity its name in the Lease, and that of its log in {@code target}
   * @param host the address that its REST API listens on
   * @param kubeconfig who it is to the API server
   * @param settings more settings, such as {@code kubernetes.namespace}
   */
  public static ControllerProcess start(
      String identity,
      String host,
      Path kubeconfig,
      String bootstrapServers,
      Map<String, String> settings) {
    ControllerProcess started = launch(identity, host, kubeconfig, bootstrapServers, settings);
    try {
      started.awaitReady();
      return started;
    } catch (RuntimeException | AssertionError e) {
      started.kill();
      throw new AssertionError(identity + " does not get ready:\n" + started.log(), e);
    }
  }

  private static ControllerProcess launch(
      String identity,
      String host,
      Path kubeconfig,
      String bootstrapServers,
      Map<String, String> settings) {
    try {
      URI address = URI.create("http://" + host + ":" + freePort(host));
      Map<String, String> all = new TreeMap<>(settings);
      all.put("http.address", address.getAuthority());
      all.put("kafka.bootstrap.servers", bootstrapServers);
      all.put("kubernetes.enabled", "true");
      all.put("kubernetes.identity", identity);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(chartOptions());
      command.addAll(List.of("-jar", JAR.toString()));
      all.forEach((key, value) -> command.add("--" + key + "=" + value));
      Path log = Files.createDirectories(Path.of("target", "logs")).resolve(identity + ".log");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().put("KUBECONFIG", kubeconfig.toString());
      return new ControllerProcess(builder.start(), address, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() {
    Cluster.await()
        .ignoreExceptions()
        .failFast(() -> !process.isAlive())
        .until(() -> send("/readyz").statusCode() == 200);
  }

  /** The address of its REST API. */
  public URI address() {
    return address;
  }

  /** An answer of its REST API. */
  public JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = send(path);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return Kubectl.json(response.body());
  }

  /** The policy in force of a tier on a node; missing if there is none. */
  public JsonNode policy(String tier, String node) {
    try {
      for (JsonNode policy : get("/api/v1/policies").path("policies")) {
        if (policy.path("tier").asText().equals(tier)
            && policy.path("node").asText().equals(node)) {
          return policy;
        }
      }
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> send(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve(path)).timeout(ANSWER).build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  /** The memory that the process occupies. */
  public long residentBytes() {
    try {
      String line =
          Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
              .filter(text -> text.startsWith("VmRSS:"))
              .findFirst()
              .orElseThrow();
      return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that it has written so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it with SIGKILL: it has no time for any last word. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Stops it as a kubelet would, and kills it if it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> chartOptions() throws IOException {
    Load yaml = new Load(LoadSettings.builder().build());
    Map<?, ?> values = (Map<?, ?>) yaml.loadFromString(Files.readString(VALUES));
    Map<?, ?> controller = (Map<?, ?>) values.get("controller");
    return List.of(controller.get("javaOptions").toString().strip().split("\\s+"));
  }

  private static int freePort(String host) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    }
  }
}
