package io.dynims.tier;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Routes a request of the Tier API to the tier, and writes the answer. */
final class TierHandler implements HttpHandler {

  private static final Logger LOG = System.getLogger(TierHandler.class.getName());
  private static final int MAX_REQUEST_BYTES = 16 * 1024;

  private final LeasedTier tier;

  private record Answer(int status, String contentType, byte[] body) {}

  TierHandler(LeasedTier tier) {
    this.tier = tier;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer;
      try {
        answer = route(exchange);
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "request failed", e);
        answer = problem("Internal error", 500, e.toString(), null);
      }
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    }
  }

  private Answer route(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    return switch (path) {
      case "/healthz" -> method.equals("GET") ? up() : notAllowed(exchange, "GET");
      case "/readyz" -> method.equals("GET") ? get() : notAllowed(exchange, "GET");
      case TierApi.PATH ->
          switch (method) {
            case "GET" -> get();
            case "PUT" -> put(exchange);
            default -> notAllowed(exchange, "GET, PUT");
          };
      case TierApi.DECISIONS_PATH ->
          method.equals("GET") ? decisions(exchange) : notAllowed(exchange, "GET");
      default ->
          problem(
              "Not found", 404, path + " does not exist; the Tier API is at " + TierApi.PATH, null);
    };
  }

  private Answer get() {
    try {
      return status(200, tier.status());
    } catch (StoreUnavailableException e) {
      return unavailable(e);
    }
  }

  private Answer put(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES + 1);
    if (body.length > MAX_REQUEST_BYTES) {
      return problem("Too large", 413, "the body exceeds " + MAX_REQUEST_BYTES + " bytes", null);
    }
    try {
      TierRequest request = TierApi.REQUEST.decode(body);
      TierStatus status = tier.apply(request);
      return status(status.capacityBytes() == request.desiredBytes() ? 200 : 202, status);
    } catch (WireException e) {
      return problem("Invalid request", 400, e.getMessage(), e.field());
    } catch (MisdirectedException e) {
      return problem("Misdirected request", 421, e.getMessage(), "policy.node");
    } catch (OutdatedSampleException e) {
      return problem("Outdated sample", 409, e.getMessage(), "sampledMillis");
    } catch (StoreUnavailableException e) {
      return unavailable(e);
    }
  }

  private Answer decisions(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    long sinceMillis = 0;
    int limit = TierApi.MAX_DECISIONS;
    for (String part : query == null ? new String[0] : query.split("&")) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      try {
        long value = Long.parseLong(part.substring(equals + 1));
        switch (name) {
          case "since" -> sinceMillis = value;
          case "limit" -> limit = (int) Math.max(1, Math.min(TierApi.MAX_DECISIONS, value));
          default -> {}
        }
      } catch (NumberFormatException e) {
        return problem("Invalid request", 400, part + " is not a number", name);
      }
    }
    GuardDecisions body = new GuardDecisions(tier.decisions(sinceMillis, limit));
    return new Answer(200, "application/json", TierApi.DECISIONS.encode(body));
  }

  private static Answer up() {
    return new Answer(200, "application/json", "{\"status\":\"up\"}".getBytes(UTF_8));
  }

  private static Answer status(int code, TierStatus status) {
    return new Answer(code, "application/json", TierApi.STATUS.encode(status));
  }

  private static Answer unavailable(StoreUnavailableException e) {
    return problem("Store unavailable", 503, e.getMessage(), null);
  }

  private static Answer notAllowed(HttpExchange exchange, String allowed) {
    exchange.getResponseHeaders().set("Allow", allowed);
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    return problem("Method not allowed", 405, request + "; allowed: " + allowed, null);
  }

  private static Answer problem(String title, int code, String detail, String field) {
    Problem problem = new Problem(title, code, detail, field);
    return new Answer(code, "application/problem+json", TierApi.PROBLEM.encode(problem));
  }
}
