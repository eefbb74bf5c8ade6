package io.dynims.adapter;

import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The adapter's settings, checked; {@code alluxio-adapter.properties} documents them.
 *
 * @param tier the tier's name in the Tier API
 * @param worker the worker's RPC address
 * @param workerMetrics where the worker serves its metrics as JSON; empty not to read them
 * @param masters the masters' RPC addresses; empty to use Alluxio's own configuration
 * @param tierAlias the worker's name for its top tier
 * @param folder the folder of that tier's blocks
 * @param node this node's name
 * @param maxBytes the tier's capacity; empty to ask the master
 * @param minBytes the smallest capacity to accept
 * @param sliceBytes the most to reserve with one request
 * @param budgetNanos the longest that one resize takes
 */
record Settings(
    String tier,
    InetSocketAddress worker,
    Optional<URI> workerMetrics,
    List<InetSocketAddress> masters,
    String tierAlias,
    WorkerFolder folder,
    String node,
    Optional<Long> maxBytes,
    long minBytes,
    long sliceBytes,
    long budgetNanos) {

  private static final long MIN_SLICE_BYTES = 1 << 20;

  static Settings read(Config config, AdapterSettings all) throws ConfigException {
    InetSocketAddress worker = config.address("worker.address");
    Settings settings =
        new Settings(
            all.tier(),
            worker,
            workerMetrics(config, worker.getHostString()),
            config.text("master.address").isEmpty()
                ? List.of()
                : config.addresses("master.address"),
            config.required("tier.alias"),
            folder(config),
            all.node(),
            all.maxBytes(),
            all.minBytes(),
            config.bytes("resize.slice"),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.budget")));
    if (settings.sliceBytes < MIN_SLICE_BYTES) {
      config.reject("resize.slice", settings.sliceBytes + " bytes is below 1Mi");
    }
    if (settings.budgetNanos <= 0) {
      config.reject("resize.budget", "is not above 0");
    }
    config.check();
    return settings;
  }

  private static WorkerFolder folder(Config config) {
    Path own = Path.of(config.required("tier.directory")).toAbsolutePath().normalize();
    return new WorkerFolder(config.path("worker.directory").map(Path::normalize).orElse(own), own);
  }

  private static Optional<URI> workerMetrics(Config config, String workerHost) {
    String key = "worker.metrics.url";
    String host = workerHost.contains(":") ? "[" + workerHost + "]" : workerHost;
    String text = config.text(key).replace("{host}", host);
    try {
      URI uri = new URI(text);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      if (uri.getHost() != null && uri.getScheme() != null && uri.getScheme().matches("https?")) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    config.reject(key, "'" + text + "' is not an address such as http://127.0.0.1:30000/");
    return Optional.empty();
  }
}
