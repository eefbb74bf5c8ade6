package io.dynims.mpiio;

import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the Tier API, with the real agent. */
class MpiIoContractIT extends TierContract {

  private static final long MAX_BYTES = 64L << 20;
  private static final long MIN_BYTES = 8L << 20;

  @TempDir private Path folder;

  private AgentProcess agent;
  private LimitedTier tier;

  @Override
  protected TierStore store() throws Exception {
    agent = new AgentProcess(MAX_BYTES);
    tier =
        new LimitedTier(
            new LimitedSettings(
                "mpiio",
                new CapacityBounds(MIN_BYTES, MAX_BYTES),
                // A busy machine must not turn exact answers into partial ones.
                TimeUnit.SECONDS.toNanos(4)),
            new MpiIoAgent(agent.settings(), MAX_BYTES),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  @Override
  protected void fill() throws Exception {
    agent.fill(AgentProcess.file(folder, "data", MAX_BYTES));
  }

  @AfterEach
  void end() throws Exception {
    if (tier != null) {
      tier.close();
    }
    if (agent != null) {
      agent.close();
    }
  }
}
