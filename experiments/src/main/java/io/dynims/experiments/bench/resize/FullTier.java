package io.dynims.experiments.bench.resize;

import alluxio.exception.AlluxioException;
import io.dynims.core.tier.TierClient;
import io.dynims.core.tier.TierReply;
import io.dynims.core.tier.TierRequest;
import io.dynims.core.wire.AckStatus;
import io.dynims.experiments.demo.DataSet;
import io.dynims.experiments.stack.StackException;
import io.dynims.experiments.stack.Text;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The tier of a worker: filled by reading through it, and resized through the Tier API. */
final class FullTier {

  /** A part of the tier's greatest capacity that is in use, and how long it took to get there. */
  record Shrink(long freedBytes, long nanos) {

    double bytesPerSecond() {
      return freedBytes * 1e9 / nanos;
    }
  }

  private static final long LEASE_MILLIS = 600_000;
  private static final long RESIZE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int FILL_ROUNDS = 20;

  private final TierClient client;
  private final DataSet data;
  private final FileStore tmpfs;
  private final long maxBytes;
  private final byte[] buffer = new byte[1 << 20];
  private long sampledMillis;

  /**
   * A tier.
   *
   * @param adapter the base address of its adapter
   * @param data as large as the tier
   * @param directory in the tmpfs that holds the tier
   */
  FullTier(URI adapter, DataSet data, Path directory, long maxBytes) throws IOException {
    this.client = new TierClient(adapter);
    this.data = data;
    this.tmpfs = Files.getFileStore(directory);
    this.maxBytes = maxBytes;
  }

  long maxBytes() {
    return maxBytes;
  }

  /** Gives it all its capacity and reads the data set until the tier is full of it. */
  void fill() throws StackException, IOException, AlluxioException, InterruptedException {
    resize(maxBytes);
    for (int round = 0; round < FILL_ROUNDS && !isFull(); round++) {
      // The last blocks are the hot ones: they are read last and evicted last.
      for (int block = 0; block < data.blocks(); block++) {
        if (!data.verify(block, buffer)) {
          throw new StackException("block " + block + " was read with wrong bytes");
        }
      }
    }
    if (!isFull()) {
      throw new StackException(
          "the tier did not fill: " + Text.bytes(usedBytes()) + " of " + Text.bytes(maxBytes));
    }
  }

  /**
   * Takes a part of its capacity away and returns when the capacity is in force.
   *
   * @param part of the greatest capacity, in (0, 1]
   */
  Shrink shrink(double part) throws StackException, IOException, InterruptedException {
    // Blocks that this process has read stay mapped, and so in memory, until it collects garbage.
    System.gc();
    long before = tmpfs.getUnallocatedSpace();
    long startNanos = System.nanoTime();
    resize(maxBytes - (long) (part * maxBytes));
    long nanos = System.nanoTime() - startNanos;
    return new Shrink(tmpfs.getUnallocatedSpace() - before, nanos);
  }

  /** Asks until the capacity is in force. */
  void resize(long capacityBytes) throws StackException, InterruptedException {
    long startNanos = System.nanoTime();
    TierReply reply = ask(capacityBytes);
    while (reply.status() == AckStatus.Partial) {
      if (System.nanoTime() - startNanos > RESIZE_NANOS) {
        throw new StackException(
            Text.bytes(capacityBytes) + " are not in force: " + reply.message());
      }
      reply = ask(capacityBytes);
    }
  }

  /** Asks once. */
  TierReply ask(long capacityBytes) throws StackException, InterruptedException {
    sampledMillis = Math.max(sampledMillis + 1, System.currentTimeMillis());
    TierReply reply = client.put(new TierRequest(capacityBytes, sampledMillis, LEASE_MILLIS));
    if (reply.status() == AckStatus.Failed) {
      throw new StackException("the adapter does not resize: " + reply.message());
    }
    return reply;
  }

  private boolean isFull() throws StackException, InterruptedException {
    return usedBytes() > maxBytes - DataSet.BLOCK_BYTES;
  }

  private long usedBytes() throws StackException, InterruptedException {
    TierReply reply = client.get();
    if (reply.status() == AckStatus.Failed) {
      throw new StackException("the adapter does not answer: " + reply.message());
    }
    return reply.tier().usedBytes();
  }
}
