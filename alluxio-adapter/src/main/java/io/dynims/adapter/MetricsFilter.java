package io.dynims.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.dynims.tier.TierApi;
import java.io.IOException;

/** Answers {@code GET /metrics} and counts resize requests by their answers. */
final class MetricsFilter extends Filter {

  static final String PATH = "/metrics";

  private final AdapterMetrics metrics;

  MetricsFilter(AdapterMetrics metrics) {
    this.metrics = metrics;
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
        long durationNanos = System.nanoTime() - startNanos;
        metrics.recordResize(AdapterMetrics.Outcome.of(exchange.getResponseCode()), durationNanos);
      }
    } else {
      chain.doFilter(exchange);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = metrics.scrape().getBytes(UTF_8);
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
