package io.dynims.mpiio;

import io.dynims.adapter.runtime.AdapterProgram;
import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.tier.StateFile;

/** The program: makes a node's cache under MPI-IO elastic and serves the Tier API for it. */
public final class MpiIoAdapter {

  /** Without a block of capacity, all reads and writes go to the file system. */
  private static final long LEAST_BYTES = 0;

  private MpiIoAdapter() {}

  /** Runs until the process ends. */
  public static void main(String[] args) {
    new AdapterProgram(
            "mpiio-adapter",
            "Makes the cache under MPI-IO elastic and serves the Tier API for it.",
            Config.resource(MpiIoAdapter.class, "mpiio-adapter.properties"))
        .main(args, MpiIoAdapter::tier);
  }

  private static LimitedTier tier(
      Config config, AdapterSettings all, StateFile state, Long nodeMemoryBytes)
      throws ConfigException {
    LimitedSettings limits = LimitedSettings.read(config, all, LEAST_BYTES);
    MpiIoSettings settings = MpiIoSettings.read(config);
    config.check();
    MpiIoAgent agent = new MpiIoAgent(settings, limits.bounds().maxBytes());
    return new LimitedTier(limits, agent, state, nodeMemoryBytes);
  }
}
