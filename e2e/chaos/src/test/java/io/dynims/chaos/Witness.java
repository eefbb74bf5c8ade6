package io.dynims.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the stack says of itself: asks the controller and the adapter five times a second, and reads
 * the logs of the programs of the loop.
 */
final class Witness implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofMillis(800);

  /** For what must be answered, however slow the machine is. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long INTERVAL_MILLIS = 200;
  private static final int MAX_MESSAGE = 90;
  private static final List<String> LOGS = List.of("adapter", "controller", "flink");
  private static final Pattern WARNING = Pattern.compile("(?:WARN|ERROR) +(.*)");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final ScheduledExecutorService timer =
      Executors.newScheduledThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "witness");
            thread.setDaemon(true);
            return thread;
          });
  private final StackHome home;
  private final StackSettings settings;
  private final Set<String> told = new LinkedHashSet<>();
  private final Map<String, Long> logStarts = new HashMap<>();
  private volatile JsonNode controller;
  private volatile JsonNode adapter;

  Witness(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
    schedule(this::askController);
    schedule(this::askAdapter);
  }

  /** What the controller says of the tier now; empty if it does not answer. */
  Optional<JsonNode> controller() {
    return Optional.ofNullable(controller);
  }

  /** What the adapter says of the tier now; empty if it does not answer. */
  Optional<JsonNode> adapter() {
    return Optional.ofNullable(adapter);
  }

  /** The names of the policies that the controller serves. */
  Set<String> policies() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    JsonNode answer = get(settings.controllerUrl() + "/api/v1/policies", PATIENCE);
    for (JsonNode policy : answer.path("policies")) {
      names.add(
          policy.path("node").asText() + "/" + policy.path("tier").asText() + policy.path("mode"));
    }
    return names;
  }

  /** Forgets what was told so far. */
  synchronized void startListening() throws IOException {
    told.clear();
    for (String log : LOGS) {
      Path file = home.log(log);
      logStarts.put(log, Files.exists(file) ? Files.size(file) : 0L);
    }
  }

  /** What told that something is not as it should be, since then. */
  synchronized List<String> told() throws IOException {
    List<String> all = new ArrayList<>(told);
    for (String log : LOGS) {
      firstWarning(log).ifPresent(line -> all.add(log + ".log: " + line));
    }
    return all;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void schedule(Runnable task) {
    var unused = timer.scheduleWithFixedDelay(task, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void askController() {
    try {
      JsonNode tiers = get(settings.controllerUrl() + "/api/v1/tiers").path("tiers");
      JsonNode tier = tiers.path(0);
      controller = tier.isObject() ? tier : null;
      String state = tier.path("state").asText("unknown");
      if (!state.equals("Enforcing")) {
        tell("state " + state);
      }
    } catch (IOException e) {
      controller = null;
      tell("no answer of the controller");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void askAdapter() {
    try {
      JsonNode tier = get(settings.adapterUrl() + "/v1/tier");
      adapter = tier.path("capacityBytes").isIntegralNumber() ? tier : null;
      if (!tier.path("leaseHeld").asBoolean(true)) {
        tell("adapter: no lease");
      }
      String guard = tier.path("guard").asText("");
      if (guard.equals("Deciding") || guard.equals("Braking")) {
        tell("adapter: guard " + guard);
      }
      if (adapter == null) {
        tell("adapter: " + tier.path("status").asText() + " " + tier.path("title").asText());
      }
    } catch (IOException e) {
      adapter = null;
      tell("no answer of the adapter");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Adds something that told of the fault. */
  synchronized void tell(String what) {
    told.add(what);
  }

  private JsonNode get(String url) throws IOException, InterruptedException {
    return get(url, TIMEOUT);
  }

  private JsonNode get(String url, Duration timeout) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(timeout).build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  private Optional<String> firstWarning(String log) throws IOException {
    Path file = home.log(log);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(Math.min(in.length(), logStarts.getOrDefault(log, 0L)));
      byte[] bytes = new byte[(int) Math.min(1 << 20, in.length() - in.getFilePointer())];
      in.readFully(bytes);
      Matcher warning = WARNING.matcher(new String(bytes, StandardCharsets.UTF_8));
      return warning.find() ? Optional.of(shortened(warning.group(1))) : Optional.empty();
    }
  }

  private static String shortened(String message) {
    return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "…";
  }
}
