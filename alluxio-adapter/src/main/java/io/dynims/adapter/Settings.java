package io.dynims.adapter;

import io.dynims.core.auth.TokenFile;
import io.dynims.core.config.Config;
import io.dynims.core.config.ConfigException;
import io.dynims.core.tls.TlsFiles;
import io.dynims.tier.TierAccess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The adapter's settings, checked; {@code alluxio-adapter.properties} documents them.
 *
 * @param http where the Tier API listens
 * @param access who may call it
 * @param tier the tier's name in the Tier API
 * @param worker the worker's RPC address
 * @param workerMetrics where the worker serves its metrics as JSON; empty not to read them
 * @param master the master's RPC address; empty to use Alluxio's own configuration
 * @param tierAlias the worker's name for its top tier
 * @param directory the directory of that tier
 * @param maxBytes the tier's capacity; empty to ask the master
 * @param minBytes the smallest capacity to accept
 * @param sliceBytes the most to reserve with one request
 * @param budgetNanos the longest that one resize takes
 * @param nodeMemoryBytes the node's memory; empty to detect it
 * @param stateFile where to save the desired capacity; empty not to
 * @param node this node's name in policies
 * @param groupRoot where the host's control groups are mounted if a group of containers plays this
 *     node; empty if the machine is the node
 */
record Settings(
    InetSocketAddress http,
    TierAccess access,
    String tier,
    InetSocketAddress worker,
    Optional<URI> workerMetrics,
    Optional<InetSocketAddress> master,
    String tierAlias,
    Path directory,
    Optional<Long> maxBytes,
    long minBytes,
    long sliceBytes,
    long budgetNanos,
    Optional<Long> nodeMemoryBytes,
    Optional<Path> stateFile,
    String node,
    Optional<Path> groupRoot) {

  private static final long MIN_SLICE_BYTES = 1 << 20;

  /** The setting of an adapter without tokens. */
  private static final String ANYONE = "none";

  static Settings read(Config config) throws ConfigException {
    InetSocketAddress worker = config.address("worker.address");
    Settings settings =
        new Settings(
            config.address("http.address"),
            access(config),
            config.required("tier.name"),
            worker,
            workerMetrics(config, worker.getHostString()),
            config.text("master.address").isEmpty()
                ? Optional.empty()
                : Optional.of(config.address("master.address")),
            config.required("tier.alias"),
            Path.of(config.required("tier.directory")).toAbsolutePath().normalize(),
            config.optionalBytes("tier.max"),
            config.bytes("tier.min"),
            config.bytes("resize.slice"),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.budget")),
            config.optionalBytes("memory.total"),
            config.path("state.file").map(Path::toAbsolutePath),
            node(config),
            config.path("cgroup.root").map(Path::toAbsolutePath));
    if (settings.sliceBytes < MIN_SLICE_BYTES) {
      config.reject("resize.slice", settings.sliceBytes + " bytes is below 1Mi");
    }
    if (settings.budgetNanos <= 0) {
      config.reject("resize.budget", "is not above 0");
    }
    if (settings.maxBytes.isPresent() && settings.maxBytes.get() < settings.minBytes) {
      config.reject("tier.max", settings.maxBytes.get() + " bytes is below tier.min");
    }
    config.check();
    return settings;
  }

  private static TierAccess access(Config config) {
    String key = "http.token.file";
    if (config.text(key).isEmpty()) {
      config.reject(key, "is required: a file with the controller's token, or none");
    }
    Optional<TokenFile> tokens =
        config.text(key).equals(ANYONE) ? Optional.empty() : TokenFile.read(config, key);
    Optional<TlsFiles> tls = TlsFiles.read(config, "http.tls");
    if (tls.isPresent() && tls.get().keyManager().isEmpty()) {
      config.reject("http.tls.certificate", "is required with http.tls.ca");
    }
    return new TierAccess(tokens, tls);
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

  private static String node(Config config) {
    String given = config.text("node.name");
    if (!given.isEmpty()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      config.reject("node.name", "is empty, and this machine's name is unknown");
      return "";
    }
  }
}
