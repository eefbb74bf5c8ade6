package io.dynims.adapter;

import io.dynims.adapter.runtime.AdapterProgram;
import io.dynims.adapter.runtime.AdapterSettings;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.tier.StateFile;

/** The program: makes the top tier of one Alluxio worker elastic and serves the Tier API for it. */
public final class AlluxioAdapter {

  private AlluxioAdapter() {}

  /** Runs until the process ends. */
  public static void main(String[] args) {
    new AdapterProgram(
            "alluxio-adapter",
            "Makes the tier of a stock Alluxio worker elastic and serves the Tier API for it.",
            Config.resource(AlluxioAdapter.class, "alluxio-adapter.properties"))
        .main(args, AlluxioAdapter::tier);
  }

  private static ElasticTier tier(
      Config config, AdapterSettings all, StateFile state, Long nodeMemoryBytes)
      throws ConfigException {
    Settings settings = Settings.read(config, all);
    AlluxioClient.configure(settings.masters());
    return new ElasticTier(settings, state, nodeMemoryBytes);
  }
}
