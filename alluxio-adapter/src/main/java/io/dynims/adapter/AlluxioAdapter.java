package io.dynims.adapter;

import io.dynims.core.config.Config;
import io.dynims.core.config.Program;
import io.dynims.core.node.NodeMemory;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierServer;
import java.nio.file.Path;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The program: makes one Alluxio worker's top tier elastic, and serves the Tier API for it. */
public final class AlluxioAdapter {

  private static final Logger LOG = LogManager.getLogger(AlluxioAdapter.class);

  private AlluxioAdapter() {}

  /** Runs until the process is ended. */
  public static void main(String[] args) {
    new Program(
            "alluxio-adapter",
            "Makes the tier of a stock Alluxio worker elastic and serves the Tier API for it.",
            Config.resource(AlluxioAdapter.class, "alluxio-adapter.properties"))
        .main(args, AlluxioAdapter::start);
  }

  private static void start(Config config) throws Exception {
    Settings settings = Settings.read(config);
    AlluxioClient.configure(settings.master());
    ElasticTier tier = new ElasticTier(settings, new NodeMemory(Path.of("/")));
    tier.start();
    AdapterMetrics meters = new AdapterMetrics(settings.tier(), tier.connects::get);
    TierServer server =
        TierServer.start(
            settings.http(),
            new MeteredTier(tier, meters),
            settings.fallbackCapacityBytes(),
            new MetricsFilter(meters));
    meters.watch(server::status);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, tier), "shutdown"));
    LOG.info("the Tier API of '{}' is at {}{}", settings.tier(), server.uri(), TierApi.PATH);
  }

  private static void stop(TierServer server, ElasticTier tier) {
    LOG.info("shutting down: what is reserved is given back");
    server.close();
    try {
      tier.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LogManager.shutdown();
  }
}
