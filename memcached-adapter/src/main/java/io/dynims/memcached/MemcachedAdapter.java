package io.dynims.memcached;

import io.dynims.adapter.runtime.AdapterProgram;
import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.tier.StateFile;

/** The program: makes one memcached server elastic and serves the Tier API for it. */
public final class MemcachedAdapter {

  private MemcachedAdapter() {}

  /** Runs until the process ends. */
  public static void main(String[] args) {
    new AdapterProgram(
            "memcached-adapter",
            "Makes a memcached server elastic and serves the Tier API for it.",
            Config.resource(MemcachedAdapter.class, "memcached-adapter.properties"))
        .main(args, MemcachedAdapter::tier);
  }

  private static LimitedTier tier(
      Config config, AdapterSettings all, StateFile state, Long nodeMemoryBytes)
      throws ConfigException {
    LimitedSettings limits = LimitedSettings.read(config, all, MemcachedServer.LEAST_BYTES);
    MemcachedSettings settings = MemcachedSettings.read(config);
    config.check();
    return new LimitedTier(limits, new MemcachedServer(settings), state, nodeMemoryBytes);
  }
}
