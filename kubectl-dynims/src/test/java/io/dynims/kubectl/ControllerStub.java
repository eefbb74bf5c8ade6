package io.dynims.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A controller with canned answers. */
final class ControllerStub implements AutoCloseable {

  /** The answers by path and query; everything else is not found. */
  final Map<String, String> answers = new ConcurrentHashMap<>();

  /** The token that every request needs; null if none does. */
  volatile String token;

  private final HttpServer server;

  ControllerStub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().toString();
          String answer = answers.get(path);
          String problem =
              "{\"title\":\"Not found\",\"status\":404,\"detail\":\"no " + path + "\"}";
          String given = exchange.getRequestHeaders().getFirst("Authorization");
          if (token != null && !("Bearer " + token).equals(given)) {
            respond(exchange, 401, "{\"detail\":\"a token is needed\"}");
          } else {
            respond(exchange, answer == null ? 404 : 200, answer == null ? problem : answer);
          }
        });
    server.start();
  }

  private static void respond(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
