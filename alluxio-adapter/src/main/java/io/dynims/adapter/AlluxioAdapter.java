package io.dynims.adapter;

import io.dynims.core.config.Config;
import io.dynims.core.config.Program;
import io.dynims.core.node.GroupMemory;
import io.dynims.core.node.MachineMemory;
import io.dynims.core.node.NodeMemory;
import io.dynims.core.node.NodeSampler;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The program: makes the top tier of one Alluxio worker elastic and serves the Tier API for it. */
public final class AlluxioAdapter {

  private static final Logger LOG = LogManager.getLogger(AlluxioAdapter.class);

  private AlluxioAdapter() {}

  /** Runs until the process ends. */
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
    if (settings.stateFile().isPresent()) {
      ProcessLock.hold(settings.stateFile().get());
    }
    NodeMemory memory = new NodeMemory(Path.of("/"));
    StateFile state = StateFile.open(settings.stateFile());
    ElasticTier tier = new ElasticTier(settings, state, memory);
    tier.start();
    WorkerReads reads = tier.reads();
    AdapterMetrics metrics =
        new AdapterMetrics(
            settings.tier(), tier::connectCount, reads::tierReads, reads::storeReads);
    TierServer server =
        TierServer.start(
            settings.http(),
            new MeteredTier(tier, metrics),
            new GuardSettings(settings.node(), Optional.of(sampler(settings, memory)), state),
            settings.access(),
            Optional.of(metrics));
    metrics.setSource(server::status);
    if (settings.access().tokens().isEmpty()) {
      LOG.warn("http.token.file is none: anyone who reaches {} may resize the tier", server.uri());
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, tier), "shutdown"));
    LOG.info("serving the Tier API of '{}' at {}{}", settings.tier(), server.uri(), TierApi.PATH);
  }

  private static NodeSampler sampler(Settings settings, NodeMemory memory) throws IOException {
    if (settings.groupRoot().isEmpty()) {
      return new MachineMemory(Path.of("/"));
    }
    long totalBytes =
        settings.nodeMemoryBytes().orElseGet(() -> memory.totalBytes().orElse(Long.MAX_VALUE));
    return new GroupMemory(settings.groupRoot().get(), ProcessHandle.current().pid(), totalBytes);
  }

  private static void stop(TierServer server, ElasticTier tier) {
    LOG.info("shutting down: releasing what is reserved");
    server.close();
    try {
      tier.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LogManager.shutdown();
  }
}
