package io.dynims.redis;

import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.tier.StoreUnavailableException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * One Redis or Valkey server. Its memory shrinks in steps: a lower {@code maxmemory}, which makes
 * the server evict in small pieces between requests, and then {@code MEMORY PURGE}, which gives
 * free pages back to the node. A PING on a connection of its own measures how long other clients
 * wait for a step; the next step is smaller if that was too long.
 */
final class RedisServer implements LimitedStore {

  private static final Logger LOG = LogManager.getLogger(RedisServer.class);
  private static final String LIMIT = "maxmemory";
  private static final long MAX_STEP_BYTES = 64L << 20;
  private static final long FIRST_STEP_BYTES = 8L << 20;
  private static final long MIN_STEP_BYTES = 1L << 20;

  /** The server counts buffers of clients as used, so it rarely arrives at its limit exactly. */
  private static final long SLACK_BYTES = 2L << 20;

  private static final long EVICTION_POLL_MILLIS = 1;

  /** If nothing is evicted for so long, there is nothing to evict. */
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final RedisSettings settings;
  private final RedisConnections connections;
  private long stepBytes = FIRST_STEP_BYTES;
  private final Set<String> logged = new HashSet<>();

  /** Whether the server was a replica when it was asked last. */
  private final AtomicBoolean replica = new AtomicBoolean();

  /** Whether it was one when its limit was set last. */
  private volatile boolean limitedAsReplica;

  RedisServer(RedisSettings settings) {
    this.settings = settings;
    this.connections = new RedisConnections(settings);
  }

  @Override
  public void connect() throws StoreUnavailableException, InterruptedException {
    if (connections.areOpen()) {
      return;
    }
    connections.open();
    try {
      RedisInfo info = info();
      check(info);
      // What a resize will need is tried here, so that a user who lacks a right is told at once.
      var unused = connections.set(LIMIT, Long.toString(info.limitBytes()));
      unused = connections.purge();
      if (settings.defragments()) {
        defragment();
      }
    } catch (StoreUnavailableException e) {
      connections.disconnect();
      throw e;
    }
  }

  private void check(RedisInfo info) throws StoreUnavailableException {
    if (info.evictionPolicy().equals("noeviction")) {
      throw new StoreUnavailableException(
          settings.address()
              + " has maxmemory-policy noeviction: with less memory it would refuse writes instead of"
              + " evicting; set another one, such as allkeys-lru",
          null);
    }
    if (info.allocator().equals("libc")) {
      logOnce(
          Level.WARN,
          "has mem_allocator libc, which gives little memory back; take a build with jemalloc");
    }
  }

  /** Most builds of distributions cannot. */
  private void defragment() throws StoreUnavailableException {
    String refusal = connections.trySet("activedefrag", "yes");
    logOnce(
        Level.INFO,
        refusal.isEmpty() ? "defragments its memory" : "goes on without activedefrag: " + refusal);
  }

  private void logOnce(Level level, String what) {
    if (logged.add(what)) {
      LOG.log(level, "{} {}", settings.address(), what);
    }
  }

  @Override
  public StoreReading read() throws StoreUnavailableException {
    return info().reading();
  }

  private RedisInfo info() throws StoreUnavailableException {
    RedisInfo info = connections.info("default");
    if (replica.getAndSet(info.isReplica()) != info.isReplica()) {
      LOG.info(
          info.isReplica()
              ? "{} is a replica: its master decides what is evicted, unless replica-ignore-maxmemory"
                  + " is no; its limit counts when it becomes a master"
              : "{} has become a master, which evicts what exceeds its limit",
          settings.address());
    }
    return info;
  }

  /** A replica that has become a master evicts at once; its pages are still to be given back. */
  @Override
  public boolean needsStep() {
    return limitedAsReplica && !replica.get();
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException {
    RedisInfo info = info();
    boolean promoted = limitedAsReplica && !info.isReplica();
    limitedAsReplica = info.isReplica();
    StoreReading before = info.reading();
    long fromBytes = Math.min(before.limitBytes(), Math.max(before.usedBytes(), goalBytes));
    if (goalBytes >= fromBytes && !promoted) {
      var unused = setLimit(goalBytes);
      return true;
    }
    long nextBytes = Math.max(goalBytes, fromBytes - stepBytes);
    long waitedNanos = setLimit(nextBytes);
    if (!awaitEviction(nextBytes) && info.isReplica()) {
      var unused = setLimit(goalBytes);
      return true;
    }
    waitedNanos = Math.max(waitedNanos, connections.purge());
    adapt(waitedNanos);
    return nextBytes == goalBytes;
  }

  private long setLimit(long bytes) throws StoreUnavailableException, InterruptedException {
    return connections.set(LIMIT, Long.toString(bytes));
  }

  /** The server evicts on its own, in pieces; false if nothing is left that it would evict. */
  private boolean awaitEviction(long limitBytes)
      throws StoreUnavailableException, InterruptedException {
    long lastBytes = Long.MAX_VALUE;
    long progressNanos = System.nanoTime();
    while (true) {
      // Of this section alone, so that it can be asked for a thousand times a second.
      long usedBytes = connections.info("memory").usedBytes();
      if (usedBytes <= limitBytes + SLACK_BYTES) {
        return true;
      }
      if (usedBytes < lastBytes) {
        lastBytes = usedBytes;
        progressNanos = System.nanoTime();
      } else if (System.nanoTime() - progressNanos > STUCK_NANOS) {
        return false; // What is left is told as unevictable.
      }
      TimeUnit.MILLISECONDS.sleep(EVICTION_POLL_MILLIS);
    }
  }

  /** Makes the next step smaller if another client waited too long, else larger. */
  private void adapt(long waitedNanos) throws InterruptedException {
    if (waitedNanos > settings.stallNanos()) {
      stepBytes = Math.max(MIN_STEP_BYTES, stepBytes / 2);
      // As long as they waited, they are served without another step.
      TimeUnit.NANOSECONDS.sleep(waitedNanos);
    } else {
      stepBytes = Math.min(MAX_STEP_BYTES, stepBytes * 2);
    }
    LOG.debug("another client waited for {} µs", waitedNanos / 1_000);
  }

  /** The limit stays as it is. */
  @Override
  public void close() {
    connections.close();
  }
}
