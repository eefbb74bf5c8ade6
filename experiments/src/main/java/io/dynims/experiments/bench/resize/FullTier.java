package io.dynims.experiments.bench.resize;

import alluxio.exception.AlluxioException;
import io.dynims.cli.stack.Folders;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.Text;
import io.dynims.core.wire.AckStatus;
import io.dynims.experiments.demo.DataSet;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The tier of a worker: filled by reading through it, and resized through the Tier API. */
final class FullTier {

  /** The bytes freed, and the time that took. */
  record Shrink(long freedBytes, long nanos) {

    double bytesPerSecond() {
      return freedBytes * 1e9 / nanos;
    }
  }

  private static final long LEASE_MILLIS = TierRequest.MAX_LEASE_MILLIS;
  private static final long RESIZE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int FILL_ROUNDS = 5;

  /** A worker evicts before its last bytes are in use, so the tier is filled with extra room. */
  private static final long ROOM_BYTES = 64 << 20;

  private static final long SLACK_BYTES = 1 << 20;

  private final TierClient client;
  private final DataSet data;
  private final Path directory;
  private final FileStore tmpfs;
  private final long capacityBytes;
  private final byte[] buffer = new byte[1 << 20];
  private long sampledMillis;

  /**
   * A tier.
   *
   * @param client of its adapter
   * @param data the data set to fill it with; slightly smaller than the tier's maximum
   * @param directory the tier's directory, in a tmpfs
   */
  FullTier(TierClient client, DataSet data, Path directory) throws IOException {
    this.client = client;
    this.data = data;
    this.directory = directory;
    this.tmpfs = Files.getFileStore(directory);
    this.capacityBytes = data.items() * (long) DataSet.BLOCK_BYTES + SLACK_BYTES;
  }

  /** The capacity of the full tier. */
  long capacityBytes() {
    return capacityBytes;
  }

  /** Makes room for the data set and reads it until all of it is in the tier. */
  void fill() throws StackException, IOException, AlluxioException, InterruptedException {
    resize(capacityBytes + ROOM_BYTES);
    for (int round = 0; round < FILL_ROUNDS && !isFull(); round++) {
      // The last blocks are the hot ones: they are read last and evicted last.
      for (int block = 0; block < data.items(); block++) {
        if (!data.verify(block, buffer)) {
          throw new StackException("block " + block + " was read with wrong bytes");
        }
      }
    }
    if (!isFull()) {
      throw new StackException(
          "the tier did not fill: " + Text.bytes(usedBytes()) + " of " + Text.bytes(capacityBytes));
    }
    resize(capacityBytes);
  }

  /**
   * Reduces the capacity and returns when the new one is in force.
   *
   * @param part the share of the full tier's capacity to remove, in (0, 1]
   */
  Shrink shrink(double part) throws StackException, IOException, InterruptedException {
    // Blocks that this process has read stay mapped, and so in memory, until a garbage collection.
    System.gc();
    long before = tmpfs.getUnallocatedSpace();
    long startNanos = System.nanoTime();
    resize(capacityBytes - (long) (part * capacityBytes));
    long nanos = System.nanoTime() - startNanos;
    return new Shrink(tmpfs.getUnallocatedSpace() - before, nanos);
  }

  /** Repeats the request until the capacity is in force. */
  private void resize(long desiredBytes) throws StackException, InterruptedException {
    long startNanos = System.nanoTime();
    TierReply reply = request(desiredBytes);
    while (reply.status() == AckStatus.Partial) {
      if (System.nanoTime() - startNanos > RESIZE_NANOS) {
        throw new StackException(
            Text.bytes(desiredBytes) + " are not in force: " + reply.message());
      }
      reply = request(desiredBytes);
    }
  }

  /** Requests a capacity once. */
  TierReply request(long desiredBytes) throws StackException, InterruptedException {
    sampledMillis = Math.max(sampledMillis + 1, System.currentTimeMillis());
    TierReply reply = client.put(new TierRequest(desiredBytes, sampledMillis, LEASE_MILLIS));
    if (reply.status() == AckStatus.Failed) {
      throw new StackException("the adapter does not resize: " + reply.message());
    }
    return reply;
  }

  private boolean isFull() throws IOException {
    return usedBytes() >= capacityBytes - SLACK_BYTES;
  }

  /** Measured here, because the adapter may report a slightly older value. */
  private long usedBytes() throws IOException {
    try {
      return Folders.sizeBytes(directory);
    } catch (NoSuchFileException e) {
      return 0; // A block was committed meanwhile; the next call counts it.
    }
  }
}
