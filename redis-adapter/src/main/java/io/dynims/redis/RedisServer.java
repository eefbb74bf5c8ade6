package io.dynims.redis;

import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.runtime.log.RateLimit;
import io.dynims.tier.StoreUnavailableException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * One Redis or Valkey server. Its memory shrinks in steps: a lower {@code maxmemory}, which makes
 * the server evict in small pieces between requests, and then {@code MEMORY PURGE}, which gives
 * free pages back to the node. A PING on a connection of its own measures how long other clients
 * wait for a step; the next step is smaller if that was too much longer than they wait anyway.
 */
final class RedisServer implements LimitedStore {

  /** The server takes 0 for no limit at all. */
  static final long LEAST_BYTES = 1;

  private static final Logger LOG = LogManager.getLogger(RedisServer.class);
  private static final String LIMIT = "maxmemory";
  private static final String ALL = "default";
  private static final long EVICTION_POLL_MILLIS = 1;

  /** How often a server that evicts nothing is asked for all that it knows, which takes longer. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** If nothing is evicted for so long, there is nothing to evict. */
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long a server that did not evict is left alone: below what it uses, it refuses writes. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RedisSettings settings;
  private final RedisConnections connections;
  private final StepSize stepSize;
  private final Set<String> logged = new HashSet<>();

  /** What the server answered last; null before. */
  private final AtomicReference<RedisInfo> last = new AtomicReference<>();

  /** Whether the server was a replica when its limit was set last. */
  private volatile boolean limitedAsReplica;

  /** How far the limit is above the goal, as the server could not evict more; usually 0. */
  private volatile long withheldBytes;

  private final RateLimit withheldLog = new RateLimit(TimeUnit.MINUTES.toMillis(1));

  /** When the server last evicted nothing although it had keys, as System.nanoTime. */
  private volatile long stuckNanos = System.nanoTime() - RETRY_NANOS;

  RedisServer(RedisSettings settings) {
    this.settings = settings;
    this.connections = new RedisConnections(settings);
    this.stepSize = new StepSize(settings.stallNanos());
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  @Override
  public void connect() throws StoreUnavailableException, InterruptedException {
    if (connections.areOpen()) {
      return;
    }
    connections.open();
    try {
      RedisInfo info = info();
      if (info.allocator().equals("libc")) {
        logOnce(
            Level.WARN,
            "has mem_allocator libc, which gives little memory back; take a build with jemalloc");
      }
      // What a resize will need is tried here, so that a user who lacks a right is told at once.
      var unused = setLimit(info.limitBytes());
      unused = connections.purge();
      if (settings.defragments()) {
        defragment();
      }
    } catch (StoreUnavailableException e) {
      connections.disconnect();
      throw e;
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
    return info().reading(withheldBytes);
  }

  /**
   * What the server says now; refuses one that does not evict, which it may be told at any time.
   */
  private RedisInfo info() throws StoreUnavailableException {
    RedisInfo info = connections.info(ALL);
    RedisInfo before = last.getAndSet(info);
    if (info.isReplica() != (before != null && before.isReplica())) {
      LOG.info(
          info.isReplica()
              ? "{} is a replica: its master decides what is evicted, unless replica-ignore-maxmemory"
                  + " is no; its limit counts when it becomes a master"
              : "{} has become a master, which evicts what exceeds its limit",
          settings.address());
    }
    if (!info.evicts()) {
      throw new StoreUnavailableException(
          settings.address()
              + " has maxmemory-policy noeviction: with less memory it would refuse writes instead of"
              + " evicting; set another one, such as allkeys-lru",
          null);
    }
    return info;
  }

  @Override
  public long rounded(long goalBytes) {
    return Math.max(LEAST_BYTES, goalBytes);
  }

  /**
   * A replica that has become a master evicts at once; its pages are still to be given back. And a
   * limit that was kept above its goal follows when clients have read their buffers, for example.
   */
  @Override
  public boolean needsStep() {
    RedisInfo info = last.get();
    if (limitedAsReplica && !info.isReplica()) {
      return true;
    }
    long limitBytes = info.limitBytes();
    return withheldBytes > 0
        && limitFor(limitBytes - withheldBytes, info, limitBytes)
            < limitBytes - RedisInfo.SLACK_BYTES;
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException {
    RedisInfo info = info();
    boolean promoted = limitedAsReplica && !info.isReplica();
    limitedAsReplica = info.isReplica();
    long targetBytes = limitFor(goalBytes, info, info.limitBytes());
    long fromBytes = Math.min(info.limitBytes(), Math.max(info.usedBytes(), targetBytes));
    if (targetBytes >= fromBytes && !promoted) {
      return finish(goalBytes, targetBytes, info);
    }
    // Two waits, as a step has two: the longer one of two is compared with the longer one of two.
    long usualNanos = Math.max(connections.ping(), connections.ping());
    stepSize.noteUsual(usualNanos, System.nanoTime());
    long nextBytes = Math.max(targetBytes, fromBytes - stepSize.bytes());
    long waitedNanos = setLimit(nextBytes);
    if (!awaitEviction(goalBytes, nextBytes)) {
      if (info.isReplica()) {
        return finish(goalBytes, targetBytes, info);
      }
      stuckNanos = System.nanoTime();
      RedisInfo now = connections.info(ALL);
      return finish(goalBytes, limitFor(goalBytes, now, info.limitBytes()), now);
    }
    withheldBytes = 0;
    waitedNanos = Math.max(waitedNanos, connections.purge());
    // As long as others waited for the step, they are served without another one.
    TimeUnit.NANOSECONDS.sleep(stepSize.noteStep(waitedNanos));
    // What is left to give above the goal, if anything, the next step knows.
    return nextBytes == goalBytes;
  }

  /** The goal, or of what is in force as much as the server needs for what it cannot evict. */
  private long limitFor(long goalBytes, RedisInfo info, long inForceBytes) {
    boolean stuck = System.nanoTime() - stuckNanos < RETRY_NANOS;
    long leastBytes =
        stuck ? info.usedBytes() + RedisInfo.SLACK_BYTES : info.leastLimitBytes(goalBytes);
    return Math.max(goalBytes, Math.min(inForceBytes, leastBytes));
  }

  private boolean finish(long goalBytes, long limitBytes, RedisInfo info)
      throws StoreUnavailableException, InterruptedException {
    var unused = setLimit(limitBytes);
    withheldBytes = limitBytes - goalBytes;
    if (withheldBytes > 0 && withheldLog.permit(System.nanoTime() / 1_000_000)) {
      LOG.info(
          "{} keeps maxmemory {} instead of {}: of {} bytes, {} are buffers and the like, and {}"
              + " evicts at most {}",
          settings.address(),
          limitBytes,
          goalBytes,
          info.usedBytes(),
          info.heldBytes(),
          info.evictionPolicy(),
          info.evictableBytes());
    }
    return true;
  }

  private long setLimit(long bytes) throws StoreUnavailableException, InterruptedException {
    return connections.set(LIMIT, bytes == Long.MAX_VALUE ? "0" : Long.toString(bytes));
  }

  /** The server evicts on its own, in pieces; false if nothing is left that it should evict. */
  private boolean awaitEviction(long goalBytes, long limitBytes)
      throws StoreUnavailableException, InterruptedException {
    long lastBytes = Long.MAX_VALUE;
    long progressNanos = System.nanoTime();
    long lookedNanos = progressNanos;
    while (true) {
      // Of this section alone, so that it can be asked for a thousand times a second.
      RedisInfo now = connections.info("memory");
      long usedBytes = now.usedBytes();
      if (usedBytes <= limitBytes + RedisInfo.SLACK_BYTES) {
        return true;
      }
      if (now.leastDataLimitBytes(goalBytes) > limitBytes + RedisInfo.SLACK_BYTES) {
        return false; // Buffers of clients have grown meanwhile.
      }
      long nowNanos = System.nanoTime();
      if (usedBytes < lastBytes) {
        lastBytes = usedBytes;
        progressNanos = nowNanos;
        lookedNanos = nowNanos;
      } else if (nowNanos - progressNanos > STUCK_NANOS) {
        return false; // What is left is told as unevictable.
      } else if (nowNanos - lookedNanos > LOOK_NANOS) {
        lookedNanos = nowNanos;
        if (connections.info(ALL).evictableBytes() == 0) {
          return false;
        }
      }
      TimeUnit.MILLISECONDS.sleep(EVICTION_POLL_MILLIS);
    }
  }

  /** The limit stays as it is. */
  @Override
  public void close() {
    connections.close();
  }
}
