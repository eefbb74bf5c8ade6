package io.dynims.redis;

import io.dynims.adapter.runtime.AdapterProgram;
import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.tier.StateFile;

/** The program: makes one Redis or Valkey server elastic and serves the Tier API for it. */
public final class RedisAdapter {

  private RedisAdapter() {}

  /** Runs until the process ends. */
  public static void main(String[] args) {
    new AdapterProgram(
            "redis-adapter",
            "Makes a Redis or Valkey server elastic and serves the Tier API for it.",
            Config.resource(RedisAdapter.class, "redis-adapter.properties"))
        .main(args, RedisAdapter::tier);
  }

  private static LimitedTier tier(
      Config config, AdapterSettings all, StateFile state, Long nodeMemoryBytes)
      throws ConfigException {
    LimitedSettings limits = LimitedSettings.read(config, all, RedisServer.LEAST_BYTES);
    RedisSettings settings = RedisSettings.read(config);
    config.check();
    return new LimitedTier(limits, new RedisServer(settings), state, nodeMemoryBytes);
  }
}
