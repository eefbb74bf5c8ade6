package io.dynims.memcached;

import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.core.config.Config;
import io.dynims.core.config.ConfigException;
import io.dynims.core.config.ReloadedFiles;
import io.dynims.tier.CapacityBounds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of the store, checked; {@code memcached-adapter.properties} documents them.
 *
 * @param server the server's address
 * @param passwordFile empty for a server that asks for none
 * @param bounds the limits that the server may have
 * @param budgetNanos the longest that one resize takes
 */
record MemcachedSettings(
    InetSocketAddress server,
    Optional<Path> passwordFile,
    CapacityBounds bounds,
    long budgetNanos) {

  private static final long LEAST_BYTES = 2L << 20;

  static MemcachedSettings read(Config config, AdapterSettings all) throws ConfigException {
    if (all.maxBytes().isEmpty()) {
      config.reject("tier.max", "is required: the most memory that the server may use for data");
    }
    long maxBytes = Math.max(all.minBytes(), all.maxBytes().orElse(all.minBytes()));
    MemcachedSettings settings =
        new MemcachedSettings(
            config.address("store.address"),
            config.path("store.password.file"),
            new CapacityBounds(all.minBytes(), maxBytes),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.budget")));
    if (settings.budgetNanos <= 0) {
      config.reject("resize.budget", "is not above 0");
    }
    if (settings.bounds.minBytes() < LEAST_BYTES) {
      config.reject("tier.min", "is below 2Mi: each class of items keeps a page of 1Mi");
    }
    config.check();
    return settings;
  }

  /** User name and password as they are in the file now. */
  Optional<String> credentials() throws IOException {
    if (passwordFile.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new String(ReloadedFiles.read(passwordFile.get()), StandardCharsets.UTF_8).strip());
  }
}
