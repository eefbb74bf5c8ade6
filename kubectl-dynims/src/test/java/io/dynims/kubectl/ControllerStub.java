package io.dynims.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;

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
          byte[] body = (answer == null ? problem : answer).getBytes(UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
