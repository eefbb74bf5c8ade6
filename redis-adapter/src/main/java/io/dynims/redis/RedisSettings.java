package io.dynims.redis;

import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.core.config.Config;
import io.dynims.core.config.ConfigException;
import io.dynims.core.config.ReloadedFiles;
import io.dynims.core.tls.TlsFiles;
import io.dynims.tier.CapacityBounds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of the store, checked; {@code redis-adapter.properties} documents them.
 *
 * @param server the server's address
 * @param username of the access control list; empty for the default user
 * @param passwordFile empty for a server that asks for none
 * @param tls how to speak TLS; empty without
 * @param bounds the limits that the server may have
 * @param budgetNanos the longest that one resize takes
 * @param stallNanos how long a step may make other clients wait
 */
record RedisSettings(
    InetSocketAddress server,
    String username,
    Optional<Path> passwordFile,
    Optional<TlsFiles> tls,
    CapacityBounds bounds,
    long budgetNanos,
    long stallNanos) {

  static RedisSettings read(Config config, AdapterSettings all) throws ConfigException {
    if (all.maxBytes().isEmpty()) {
      config.reject("tier.max", "is required: the most memory that the server may use for data");
    }
    long maxBytes = Math.max(all.minBytes(), all.maxBytes().orElse(all.minBytes()));
    RedisSettings settings =
        new RedisSettings(
            config.address("store.address"),
            config.text("store.username"),
            config.path("store.password.file"),
            TlsFiles.read(config, "store.tls"),
            new CapacityBounds(all.minBytes(), maxBytes),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.budget")),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.stall")));
    if (settings.budgetNanos <= 0) {
      config.reject("resize.budget", "is not above 0");
    }
    if (settings.stallNanos <= 0) {
      config.reject("resize.stall", "is not above 0");
    }
    if (settings.bounds.minBytes() < 1) {
      config.reject("tier.min", "is not above 0: Redis takes 0 for no limit at all");
    }
    config.check();
    return settings;
  }

  /** The password in the file now. */
  Optional<char[]> password() throws IOException {
    if (passwordFile.isEmpty()) {
      return Optional.empty();
    }
    String text = new String(ReloadedFiles.read(passwordFile.get()), StandardCharsets.UTF_8);
    return Optional.of(text.strip().toCharArray());
  }
}
