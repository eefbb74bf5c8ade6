package io.dynims.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A stand-in for an API server that records writes and returns prepared lists. It stores nothing,
 * and its watches report what they are given.
 */
final class ApiStub implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A recorded write. */
  record Write(String method, String path, JsonNode body) {}

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Write> writes = new CopyOnWriteArrayList<>();
  private final Map<String, String> lists = new ConcurrentHashMap<>();
  private final Map<String, OutputStream> watches = new ConcurrentHashMap<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer http;
  private final KubernetesClient client;

  ApiStub() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.setExecutor(threads);
    http.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:" + http.getAddress().getPort())
                    .withOnlyHttpWatches(true)
                    .withRequestRetryBackoffLimit(0)
                    .withWatchReconnectInterval(20)
                    .build())
            .build();
  }

  KubernetesClient client() {
    return client;
  }

  /** Sets the resources, as JSON, that a path lists. */
  void list(String path, String... items) {
    lists.put(path, "[" + String.join(",", items) + "]");
  }

  /** Reports a change of a resource to who watches a path, once somebody does. */
  void change(String path, String type, String item) throws IOException {
    await().until(() -> watches.containsKey(path));
    OutputStream watch = watches.get(path);
    String event = "{\"type\":\"" + type + "\",\"object\":" + item.replaceAll("\\s+", "") + "}\n";
    watch.write(event.getBytes(UTF_8));
    watch.flush();
  }

  /** Rejects requests with a method from now on; status 0 accepts them again. */
  void refuse(String method, int status) {
    refusals.put(method, status);
  }

  /** All requests, such as {@code GET /api/v1/nodes}. */
  List<String> requests() {
    return requests;
  }

  List<Write> writes() {
    return writes;
  }

  /** The body of a write. */
  JsonNode body(int write) {
    return writes.get(write).body();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      byte[] body = exchange.getRequestBody().readAllBytes();
      requests.add(method + " " + exchange.getRequestURI().getPath());
      int refusal = refusals.getOrDefault(method, 0);
      if (refusal != 0) {
        send(exchange, refusal, "{\"kind\":\"Status\",\"message\":\"refused for a test\"}");
      } else if (query.contains("watch=true")) {
        exchange.sendResponseHeaders(200, 0);
        watches.put(exchange.getRequestURI().getPath(), exchange.getResponseBody());
        closed.await();
      } else if (method.equals("GET")) {
        String items = lists.getOrDefault(exchange.getRequestURI().getPath(), "[]");
        send(exchange, 200, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":" + items + "}");
      } else {
        JsonNode written = JSON.readTree(body);
        writes.add(new Write(method, exchange.getRequestURI().getPath(), written));
        send(exchange, 200, written.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    closed.countDown();
    client.close();
    http.stop(0);
    threads.shutdownNow();
  }
}
