package io.dynims.adapter.runtime;

import io.dynims.core.node.GroupMemory;
import io.dynims.core.node.MachineMemory;
import io.dynims.core.node.NodeSampler;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** A program that makes one store elastic and serves the Tier API for it. */
public final class AdapterProgram {

  private static final Logger LOG = LogManager.getLogger(AdapterProgram.class);

  private final Program program;

  /** Makes the store of an adapter. */
  public interface StoreFactory {
    /**
     * Makes the store; reads its own settings and calls {@link Config#check}.
     *
     * @param settings those that every adapter has
     * @param state what the adapter knew when it ended last
     * @param nodeMemoryBytes the node's memory
     * @throws ConfigException naming every setting that cannot be used
     */
    AdapterStore create(
        Config config, AdapterSettings settings, StateFile state, Long nodeMemoryBytes)
        throws ConfigException, IOException;
  }

  /**
   * A program.
   *
   * @param name on the command line
   * @param purpose one sentence
   * @param documented the text of the settings of its store
   */
  public AdapterProgram(String name, String purpose, String documented) {
    this.program = new Program(name, purpose, AdapterSettings.documented(documented));
  }

  /** Runs until the process ends. */
  public void main(String[] args, StoreFactory factory) {
    program.main(args, config -> start(config, factory));
  }

  private static void start(Config config, StoreFactory factory) throws Exception {
    AdapterSettings settings = AdapterSettings.read(config);
    NodeSampler memory = sampler(settings);
    memory.sample(false);
    Optional<Long> given = nodeMemoryBytes(settings);
    if (!given.equals(settings.nodeMemoryBytes())) {
      LOG.warn(
          "memory.total: {} bytes is above the machine's memory, {} bytes, which counts",
          settings.nodeMemoryBytes().get(),
          given.get());
    }
    StateFile state = StateFile.open(settings.stateFile());
    AdapterStore store = factory.create(config, settings, state, given.orElse(memory.totalBytes()));
    if (settings.stateFile().isPresent()) {
      ProcessLock.hold(settings.stateFile().get());
    }
    store.start();
    AdapterMetrics metrics = new AdapterMetrics(settings.tier());
    store.register(metrics);
    TierServer server =
        TierServer.start(
            settings.http(),
            new MeteredTier(store, metrics),
            new GuardSettings(
                settings.node(), Optional.of(memory), state, settings.longestHintMillis()),
            settings.access(),
            Optional.of(metrics));
    metrics.setSource(server::status);
    if (settings.access().isOpen()) {
      LOG.warn("http.token.file is none: anyone who reaches {} may resize the tier", server.uri());
    }
    saveEverySecond(state);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, store, state), "shutdown"));
    LOG.info("serving the Tier API of '{}' at {}{}", settings.tier(), server.uri(), TierApi.PATH);
  }

  /** The node's memory by the settings, but no more than the machine has; empty if not set. */
  private static Optional<Long> nodeMemoryBytes(AdapterSettings settings) throws IOException {
    Optional<Long> given = settings.nodeMemoryBytes();
    return given.isEmpty()
        ? given
        : Optional.of(Math.min(given.get(), MachineMemory.now().totalBytes()));
  }

  static NodeSampler sampler(AdapterSettings settings) throws IOException {
    String group = settings.memoryGroup();
    if (group.equals(AdapterSettings.MACHINE)) {
      return new MachineMemory(Path.of("/"));
    }
    long totalBytes = nodeMemoryBytes(settings).orElse(MachineMemory.now().totalBytes());
    return group.equals(AdapterSettings.GROUP_ABOVE)
        ? new GroupMemory(settings.groupRoot(), ProcessHandle.current().pid(), totalBytes)
        : new GroupMemory(Path.of(group), totalBytes);
  }

  /** On a thread of its own: a disk may take seconds, which no resize waits for. */
  private static void saveEverySecond(StateFile state) {
    var unused =
        Executors.newSingleThreadScheduledExecutor(
                task -> {
                  Thread thread = new Thread(task, "state-file");
                  thread.setDaemon(true);
                  return thread;
                })
            .scheduleWithFixedDelay(state::save, 0, 1, TimeUnit.SECONDS);
  }

  private static void stop(TierServer server, AdapterStore store, StateFile state) {
    LOG.info("shutting down: releasing what is reserved");
    server.close();
    try {
      store.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    state.save();
    LogManager.shutdown();
  }
}
