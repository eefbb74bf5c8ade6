package io.dynims.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/** The controller in a process of its own, on a free port; its jar must be built. */
public final class ControllerProcess implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(3);
  private static final long STOP_SECONDS = 15;

  private final Process process;
  private final URI address;
  private final Path log;

  private ControllerProcess(Process process, URI address, Path log) {
    this.process = process;
    this.address = address;
    this.log = log;
  }

  /** How to start a controller. */
  public static final class Builder {

    private final Path jar;
    private final String name;
    private final List<String> javaOptions = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private final Map<String, String> settings = new TreeMap<>();
    private String host = "127.0.0.1";

    /**
     * A controller that writes its log to {@code target/logs/NAME.log}.
     *
     * @param project the project's folder
     */
    public Builder(Path project, String name) {
      this.jar = project.resolve("controller/target/dynims-controller.jar");
      this.name = name;
    }

    /** The address to listen on; 127.0.0.1 by default. */
    public Builder host(String newHost) {
      host = newHost;
      return this;
    }

    /** Adds options of the Java virtual machine. */
    public Builder javaOptions(List<String> options) {
      javaOptions.addAll(options);
      return this;
    }

    /** Adds an environment variable. */
    public Builder environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** Adds a setting of the controller. */
    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** Starts the controller and returns when it is ready. */
    public ControllerProcess start() {
      ControllerProcess started = launch();
      try {
        started.awaitReady();
        return started;
      } catch (RuntimeException e) {
        started.kill();
        throw new AssertionError(name + " does not become ready:\n" + started.log(), e);
      }
    }

    private ControllerProcess launch() {
      try {
        URI address = URI.create("http://" + host + ":" + FreePorts.next());
        List<String> command =
            JavaCommand.light("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        command.addAll(javaOptions);
        command.addAll(List.of("-jar", jar.toString(), "--http.address=" + address.getAuthority()));
        settings.forEach((key, value) -> command.add("--" + key + "=" + value));
        Path log = Files.createDirectories(Path.of("target", "logs")).resolve(name + ".log");
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new ControllerProcess(builder.start(), address, log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void awaitReady() {
    Poll.until(
        READY_TIMEOUT,
        () -> {
          if (!process.isAlive()) {
            throw new IllegalStateException("the controller has ended");
          }
          try {
            return send("/readyz").statusCode() == 200;
          } catch (UncheckedIOException e) {
            return false; // It does not listen yet.
          }
        });
  }

  /** The base address of its REST API and page. */
  public URI address() {
    return address;
  }

  public long pid() {
    return process.pid();
  }

  /** The answer to a GET request, which has to succeed. */
  public JsonNode get(String path) {
    HttpResponse<String> response = send(path);
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(path + ": " + response.body(), e);
    }
  }

  /** The policy in force for a node's tier; a missing node if there is none. */
  public JsonNode policy(String tier, String node) {
    for (JsonNode policy : get("/api/v1/policies").path("policies")) {
      if (policy.path("tier").asText().equals(tier) && policy.path("node").asText().equals(node)) {
        return policy;
      }
    }
    return MissingNode.getInstance();
  }

  private HttpResponse<String> send(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(path)).timeout(REQUEST_TIMEOUT).build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The resident memory of the process. */
  public long residentBytes() {
    try {
      String line =
          Files.readAllLines(Path.of("/proc/" + pid() + "/status")).stream()
              .filter(text -> text.startsWith("VmRSS:"))
              .findFirst()
              .orElseThrow();
      return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the controller has logged so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal, such as {@code STOP}. */
  public void signal(String name) throws IOException, InterruptedException {
    Signals.send(process.toHandle(), name);
  }

  /** Sends SIGKILL and waits until the process has ended. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Stops the process as a kubelet would: SIGTERM first, and SIGKILL if it does not end. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
