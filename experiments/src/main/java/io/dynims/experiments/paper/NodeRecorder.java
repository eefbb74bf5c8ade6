package io.dynims.experiments.paper;

import io.dynims.core.node.NodeSampler;
import io.dynims.experiments.demo.MemorySampler;
import io.dynims.experiments.paper.RunResult.Sample;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the node's memory five times a second, without asking the loop. */
final class NodeRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeRecorder.class);
  private static final long INTERVAL_MILLIS = 200;

  private final NodeSampler node;
  private final FileStore tier;
  private final TierClient adapter;
  private final long tierBytes;
  private final LongSupplier loadBytes;
  private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
  private final long startMillis;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts to record.
   *
   * @param tierFolder in a file system that holds nothing but the tier
   * @param adapter of an elastic tier, or null
   * @param tierBytes the capacity of a tier without an adapter
   */
  NodeRecorder(
      MemoryGroup node,
      Path tierFolder,
      TierClient adapter,
      long tierBytes,
      long startMillis,
      LongSupplier loadBytes)
      throws IOException {
    this.node = node.sampler();
    this.tier = Files.getFileStore(tierFolder);
    this.adapter = adapter;
    this.tierBytes = tierBytes;
    this.startMillis = startMillis;
    this.loadBytes = loadBytes;
    this.thread = MemorySampler.daemon(this::record, "node-recorder");
    thread.start();
  }

  private void record() {
    try {
      while (!closed) {
        samples.add(sample());
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("no more samples of the node: {}", e.toString());
    } finally {
      closeSampler();
    }
  }

  private void closeSampler() {
    try {
      node.close();
    } catch (IOException e) {
      LOG.debug("closing the node's files", e);
    }
  }

  private Sample sample() throws IOException, InterruptedException {
    long millis = System.currentTimeMillis() - startMillis;
    node.sample(true);
    long held = tier.getTotalSpace() - tier.getUnallocatedSpace();
    return new Sample(millis, node.usedBytes(), held, capacityBytes(), loadBytes.getAsLong());
  }

  private long capacityBytes() throws InterruptedException {
    if (adapter == null) {
      return tierBytes;
    }
    TierReply reply = adapter.get();
    return reply.tier() == null ? 0 : reply.tier().capacityBytes();
  }

  /** What has been recorded so far. */
  List<Sample> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
