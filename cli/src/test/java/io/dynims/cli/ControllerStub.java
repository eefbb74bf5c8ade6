package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A controller that gives every request the same answer, and keeps what was asked. */
final class ControllerStub implements AutoCloseable {

  /** The method and the path with its query of each request. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  volatile int status = 200;
  volatile String answer = "";

  /** The body of the last request; null before the first. */
  volatile String body;

  private final HttpServer server;

  ControllerStub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          byte[] bytes = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
