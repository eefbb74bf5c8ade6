package io.dynims.redis;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierStore;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The Tier API's contract with a real server. */
class RedisContractIT extends TierContract {

  private static final long MIN_BYTES = 8L << 20;
  private static final long MAX_BYTES = 64L << 20;

  private RedisProcess redis;
  private LimitedTier tier;

  @Override
  protected TierStore store() throws Exception {
    redis = new RedisProcess("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru");
    RedisSettings settings = redis.settings(MIN_BYTES, MAX_BYTES);
    tier =
        new LimitedTier(
            "redis",
            new RedisServer(settings),
            settings.bounds(),
            settings.budgetNanos(),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  @Override
  protected void fill() {
    try (RedisData data = new RedisData(redis.port())) {
      data.write(MAX_BYTES);
    }
  }

  @AfterEach
  void stop() throws Exception {
    tier.close();
    redis.close();
  }
}
