package io.dynims.cli.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynims.runtime.auth.HostHeader;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A server between the checks and a real server of the Tier API: it passes everything on, but for
 * one fault.
 */
final class FakeAdapter implements AutoCloseable {

  static final String TOKEN = "the-token-of-the-fake-adapter";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> PASSED_ON =
      List.of("Content-Type", "Allow", "WWW-Authenticate");

  private final TokenFile tokens;
  private final TierServer real;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Fault fault;
  private final Path folder;

  /** What the adapter does wrong. */
  interface Fault {
    /** Answers; the real server's answer to any request is to be had from the adapter. */
    Answer answer(Request request, FakeAdapter adapter) throws IOException, InterruptedException;
  }

  /** A request. */
  record Request(String method, String path, String host, String authorization, byte[] body) {

    boolean isPut() {
      return method.equals("PUT");
    }

    String text() {
      return new String(body, UTF_8);
    }

    Request withBody(String text) {
      return new Request(method, path, host, authorization, text.getBytes(UTF_8));
    }

    Request withToken() {
      return new Request(method, path, host, TokenFile.authorization(TOKEN), body);
    }

    Request withHost() {
      return new Request(method, path, "localhost", authorization, body);
    }

    /** A field of the body; the least number if there is none. */
    long field(String name) {
      try {
        return JSON.readTree(body).path(name).asLong(Long.MIN_VALUE);
      } catch (IOException e) {
        return Long.MIN_VALUE;
      }
    }
  }

  /** An answer. */
  record Answer(int status, Map<String, String> headers, String body) {

    static Answer of(int status) {
      return new Answer(status, Map.of(), "");
    }

    /** The same, if it is of a tier, with something else in it. */
    Answer edited(Consumer<ObjectNode> edit) throws IOException {
      if (status > 202 || !body.contains("capacityBytes")) {
        return this;
      }
      ObjectNode json = (ObjectNode) JSON.readTree(body);
      edit.accept(json);
      return new Answer(status, headers, json.toString());
    }
  }

  FakeAdapter(TierStore store, Path folder, Fault fault) throws IOException {
    tokens = TokenFile.open(Files.writeString(folder.resolve("token"), TOKEN));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    real = TierServer.start(any, store, GuardSettings.none(), TierAccess.holdersOf(tokens));
    this.fault = fault;
    this.folder = folder;
    server = HttpServer.create(any, 0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Asks the real server. */
  Answer real(Request request) throws IOException, InterruptedException {
    if (!HostHeader.isMeant(InetAddress.getLoopbackAddress(), request.host())) {
      return Answer.of(403);
    }
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(real.uri() + request.path()))
            .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(request.body()));
    if (request.authorization() != null) {
      builder.header("Authorization", request.authorization());
    }
    HttpResponse<String> response =
        http.send(builder.build(), HttpResponse.BodyHandlers.ofString());
    Map<String, String> headers = new TreeMap<>();
    for (String name : PASSED_ON) {
      response.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
    }
    return new Answer(response.statusCode(), headers, response.body());
  }

  /** Made by the restart command. */
  Path restarted() {
    return folder.resolve("restarted");
  }

  /** What the real server tells of the tier. */
  Answer state() throws IOException, InterruptedException {
    return real(new Request("GET", "/v1/tier", "localhost", null, new byte[0]));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders().getFirst("Host"),
              exchange.getRequestHeaders().getFirst("Authorization"),
              exchange.getRequestBody().readAllBytes());
      Answer answer = fault.answer(request, this);
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    real.close();
    tokens.close();
  }
}
