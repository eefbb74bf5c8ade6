package io.dynims.memcached;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierStore;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The Tier API's contract with a real server. */
class MemcachedContractIT extends TierContract {

  private static final long MIN_BYTES = 8L << 20;
  private static final long MAX_BYTES = 64L << 20;

  private MemcachedProcess memcached;
  private LimitedTier tier;

  @Override
  protected TierStore store() throws Exception {
    memcached = new MemcachedProcess("-m", "64");
    MemcachedSettings settings = memcached.settings(MIN_BYTES, MAX_BYTES);
    tier =
        new LimitedTier(
            "memcached",
            new MemcachedServer(settings),
            settings.bounds(),
            settings.budgetNanos(),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  @Override
  protected void fill() throws Exception {
    try (MemcachedData data = new MemcachedData(memcached.address())) {
      data.write(MAX_BYTES);
    }
  }

  @AfterEach
  void stop() throws Exception {
    tier.close();
    memcached.close();
  }
}
