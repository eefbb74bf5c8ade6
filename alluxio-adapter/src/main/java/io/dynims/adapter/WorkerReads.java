package io.dynims.adapter;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dynims.adapter.runtime.HitRatio;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Which share of the block reads of the last minute the worker's tier served:
 *
 * <pre>hitRatio = tierReads / (tierReads + storeReads)</pre>
 *
 * <p>The worker counts both kinds of reads since its start. A thread of its own polls the worker's
 * metrics every five seconds, so nothing else waits for them. If a counter has gone down, the
 * worker has restarted, and the minute starts anew. Blocks are counted and not bytes, because the
 * worker does not see the bytes that clients read from its memory by themselves.
 */
final class WorkerReads implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(WorkerReads.class);
  private static final WireCodec<Metrics> METRICS = new WireCodec<>(Metrics.class);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The part of the worker's metrics that counts. */
  record Metrics(Counters counters) {}

  /**
   * Counts since the worker started. It adds a counter with the first read of its kind.
   *
   * @param accessed opened blocks of the tier, the adapter's own reads included
   * @param readUfs blocks read from the under store
   */
  record Counters(
      @OptionalField @JsonProperty("Worker.BlocksAccessed") Counter accessed,
      @OptionalField @JsonProperty("Worker.BlocksReadUfs") Counter readUfs) {}

  /** One of the worker's counters. */
  record Counter(long count) {}

  /** What one poll found: the counts since the worker started, and the adapter's own part. */
  private record Polled(long accessed, long readUfs, long own) {}

  private final Optional<URI> metrics;
  private final LongSupplier ownReads;
  private final LongSupplier nanoTime;
  private final Thread thread = new Thread(this::run, "worker-reads");
  private final AtomicLong tierReads = new AtomicLong();
  private final AtomicLong storeReads = new AtomicLong();

  private final HitRatio hitRatio = new HitRatio();

  /** Null before the first success. */
  private Polled last;

  private boolean failing;
  private volatile boolean stopped;

  /**
   * Knows nothing before {@link #start}.
   *
   * @param metrics where the worker serves its metrics as JSON; empty to know nothing at all
   * @param ownReads how many blocks of the tier the adapter itself has opened
   * @param nanoTime when a sample was made
   */
  WorkerReads(Optional<URI> metrics, LongSupplier ownReads, LongSupplier nanoTime) {
    this.metrics = metrics;
    this.ownReads = ownReads;
    this.nanoTime = nanoTime;
    thread.setDaemon(true);
  }

  /** Starts to poll; does not wait for the worker. */
  void start() {
    if (metrics.isPresent()) {
      thread.start();
    }
  }

  /** In [0, 1]; null if the worker's counts are unknown, or no block was read. */
  Double hitRatio() {
    return hitRatio.value();
  }

  /** Reads that the tier has served since the adapter started. */
  long tierReads() {
    return tierReads.get();
  }

  /** Reads that the under store has served since the adapter started. */
  long storeReads() {
    return storeReads.get();
  }

  /** Stops polling; a poll in progress ends by itself. */
  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!stopped) {
      var unused = poll();
      LockSupport.parkNanos(this, PERIOD_NANOS);
    }
  }

  /**
   * Asks the worker once. Of several failures in a row only the first is logged.
   *
   * @return whether the worker has told its counts
   */
  synchronized boolean poll() {
    long own = ownReads.getAsLong(); // First, so that the worker has already counted these.
    try {
      Counters counters = WorkerWeb.get(metrics.orElseThrow(), METRICS).counters();
      count(new Polled(countOf(counters.accessed()), countOf(counters.readUfs()), own));
      if (failing) {
        LOG.info("the worker's metrics can be read again");
      }
      failing = false;
      return true;
    } catch (IOException | WireException | RuntimeException e) {
      hitRatio.setUnknown();
      if (!failing) {
        LOG.warn("the hit ratio is unknown: {}: {}", metrics.orElse(null), e.toString());
      }
      failing = true;
      return false;
    }
  }

  private static long countOf(Counter counter) {
    return counter == null ? 0 : counter.count();
  }

  private void count(Polled now) {
    if (last == null || now.accessed() < last.accessed() || now.readUfs() < last.readUfs()) {
      hitRatio.reset();
    } else {
      long own = now.own() - last.own();
      tierReads.addAndGet(Math.max(0, now.accessed() - last.accessed() - own));
      storeReads.addAndGet(now.readUfs() - last.readUfs());
    }
    last = now;
    hitRatio.add(nanoTime.getAsLong(), tierReads.get(), storeReads.get());
  }
}
