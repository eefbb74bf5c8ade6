package io.dynims.adapter;

import io.dynims.core.config.Config;
import io.dynims.core.config.ConfigException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The adapter's settings, checked; {@code alluxio-adapter.properties} documents them.
 *
 * @param http where the Tier API listens
 * @param tier the tier's name in the Tier API
 * @param worker the worker's RPC address
 * @param master the master's RPC address; empty to use Alluxio's own configuration
 * @param tierAlias the worker's name for its top tier
 * @param directory the directory of that tier
 * @param maxBytes the tier's capacity; empty to ask the master
 * @param minBytes the smallest capacity to accept
 * @param sliceBytes the most to reserve with one request
 * @param budgetNanos the longest that one resize takes
 * @param nodeMemoryBytes the node's memory; empty to detect it
 * @param stateFile where to save the desired capacity; empty not to
 * @param fallbackCapacityBytes the most that the tier keeps after the controller's lease expires
 */
record Settings(
    InetSocketAddress http,
    String tier,
    InetSocketAddress worker,
    Optional<InetSocketAddress> master,
    String tierAlias,
    Path directory,
    Optional<Long> maxBytes,
    long minBytes,
    long sliceBytes,
    long budgetNanos,
    Optional<Long> nodeMemoryBytes,
    Optional<Path> stateFile,
    OptionalLong fallbackCapacityBytes) {

  private static final long MIN_SLICE_BYTES = 1 << 20;

  static Settings read(Config config) throws ConfigException {
    Settings settings =
        new Settings(
            config.address("http.address"),
            config.required("tier.name"),
            config.address("worker.address"),
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
            config
                .optionalBytes("lease.fallback.capacity")
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty));
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
}
