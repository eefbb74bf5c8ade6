package io.dynims.experiments.bench.reaction;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Measures the mean duration of pushes since its creation, from the controller's own histogram. */
final class PushMeter {

  private static final String SERIES = "dynims_push_seconds";

  private final URI metrics;
  private final HttpClient http = HttpClient.newHttpClient();
  private final double secondsBefore;
  private final double pushesBefore;

  /** Starts measuring at the controller with this base address. */
  PushMeter(String controllerUrl) throws IOException, InterruptedException, StackException {
    this.metrics = URI.create(controllerUrl + "/metrics");
    String text = text();
    this.secondsBefore = value(text, SERIES + "_sum");
    this.pushesBefore = value(text, SERIES + "_count");
  }

  /** The mean duration of the pushes since then; 0 if there were none. */
  double meanMillis() throws IOException, InterruptedException, StackException {
    String text = text();
    double pushes = value(text, SERIES + "_count") - pushesBefore;
    double seconds = value(text, SERIES + "_sum") - secondsBefore;
    return pushes > 0 ? seconds / pushes * 1e3 : 0;
  }

  /** The value of a series without labels in OpenMetrics text. */
  static double value(String text, String series) throws StackException {
    return text.lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> line.split(" ", -1)[1])
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow(() -> new StackException("the controller's /metrics has no " + series));
  }

  private String text() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
