package io.dynims.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.dynims.tier.TierApi;
import java.io.IOException;

/** Answers {@code GET /metrics}, and counts the requests to resize as they are answered. */
final class MetricsFilter extends Filter {

  static final String PATH = "/metrics";

  private final AdapterMetrics meters;

  MetricsFilter(AdapterMetrics meters) {
    this.meters = meters;
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    if (request.equals("GET " + PATH)) {
      answer(exchange);
    } else if (request.equals("PUT " + TierApi.PATH)) {
      long startNanos = System.nanoTime();
      try {
        chain.doFilter(exchange);
      } finally {
        long tookNanos = System.nanoTime() - startNanos;
        meters.resized(AdapterMetrics.Outcome.of(exchange.getResponseCode()), tookNanos);
      }
    } else {
      chain.doFilter(exchange);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = meters.scrape().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", AdapterMetrics.CONTENT_TYPE);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public String description() {
    return "metrics";
  }
}
