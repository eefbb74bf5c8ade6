package org.apache.flink.metrics.prometheus;

import io.prometheus.client.exporter.HTTPServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Serves Flink's metrics as {@link PrometheusReporter} does, at one address. That one listens on
 * every address of the machine, and offers no choice. In Flink's package, as the registry of the
 * series is open to it alone.
 */
public final class AddressedReporter extends AbstractPrometheusReporter {

  public static final String HOST = "host";
  public static final String PORT = "port";

  private final HTTPServer http;

  private AddressedReporter(InetSocketAddress address) {
    try {
      http = new HTTPServer(address, registry, true);
    } catch (IOException e) {
      throw new UncheckedIOException("metrics: cannot listen on " + address, e);
    }
  }

  @Override
  public void close() {
    http.stop();
    super.close();
  }

  /** Makes reporters as Flink's configuration says. */
  public static final class Factory implements MetricReporterFactory {

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      int port = Integer.parseInt(properties.getProperty(PORT));
      return new AddressedReporter(new InetSocketAddress(properties.getProperty(HOST), port));
    }
  }
}
