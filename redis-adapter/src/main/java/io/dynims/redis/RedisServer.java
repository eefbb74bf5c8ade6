package io.dynims.redis;

import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.tier.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final long MAX_STEP_BYTES = 64L << 20;
  private static final long FIRST_STEP_BYTES = 8L << 20;
  private static final long MIN_STEP_BYTES = 1L << 20;

  /** The server counts buffers of clients as used, so it rarely arrives at its limit exactly. */
  private static final long SLACK_BYTES = 2L << 20;

  private static final long EVICTION_POLL_MILLIS = 1;

  /** If nothing is evicted for so long, there is nothing to evict. */
  private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final RedisSettings settings;
  private final RedisClient client;
  private volatile StatefulRedisConnection<String, String> commands;
  private volatile StatefulRedisConnection<String, String> pings;
  private long stepBytes = FIRST_STEP_BYTES;
  private boolean toldReplica;

  RedisServer(RedisSettings settings) {
    this.settings = settings;
    this.client = RedisClient.create();
    ClientOptions.Builder options =
        ClientOptions.builder()
            // The tier reconnects by itself, and wants to know at once that the server is away.
            .autoReconnect(false)
            .socketOptions(SocketOptions.builder().connectTimeout(TIMEOUT).build())
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT));
    settings.tls().ifPresent(files -> options.sslOptions(RedisTls.options(files)));
    client.setOptions(options.build());
  }

  @Override
  public void connect() throws StoreUnavailableException {
    if (isOpen(commands) && isOpen(pings)) {
      return;
    }
    disconnect();
    try {
      StatefulRedisConnection<String, String> first = client.connect(uri());
      commands = first;
      pings = client.connect(uri());
      check(RedisInfo.parse(first.sync().info()));
    } catch (RedisException | IOException e) {
      disconnect();
      throw away(e);
    } catch (StoreUnavailableException e) {
      disconnect();
      throw e;
    }
  }

  private RedisURI uri() throws IOException {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(settings.server().getHostString())
            .withPort(settings.server().getPort())
            .withSsl(settings.tls().isPresent())
            .withTimeout(TIMEOUT);
    var password = settings.password();
    if (password.isPresent() && !settings.username().isEmpty()) {
      uri.withAuthentication(settings.username(), password.get());
    } else if (password.isPresent()) {
      uri.withPassword(password.get());
    }
    return uri.build();
  }

  private void check(RedisInfo info) throws StoreUnavailableException {
    if (info.evictionPolicy().equals("noeviction")) {
      throw new StoreUnavailableException(
          address()
              + " has maxmemory-policy noeviction: with less memory it would refuse writes instead of"
              + " evicting; set another one, such as allkeys-lru",
          null);
    }
    if (info.isReplica() && !toldReplica) {
      toldReplica = true;
      LOG.info(
          "{} is a replica: its master decides what is evicted, unless replica-ignore-maxmemory is no",
          address());
    }
  }

  @Override
  public StoreReading read() throws StoreUnavailableException {
    try {
      return RedisInfo.parse(open().sync().info()).reading();
    } catch (RedisException | IllegalStateException e) {
      throw away(e);
    }
  }

  /** As {@link #read}, but cheap enough to be asked a thousand times a second. */
  private long usedBytes() throws StoreUnavailableException {
    try {
      return RedisInfo.parse(open().sync().info("memory")).usedBytes();
    } catch (RedisException | IllegalStateException e) {
      throw away(e);
    }
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException {
    StoreReading before = read();
    long fromBytes = Math.min(before.limitBytes(), Math.max(before.usedBytes(), goalBytes));
    if (goalBytes >= fromBytes) {
      var unused = setLimit(goalBytes);
      return true;
    }
    long nextBytes = Math.max(goalBytes, fromBytes - stepBytes);
    long waitedNanos = setLimit(nextBytes);
    awaitEviction(nextBytes);
    waitedNanos = Math.max(waitedNanos, purge());
    adapt(waitedNanos);
    return nextBytes == goalBytes;
  }

  private long setLimit(long bytes) throws StoreUnavailableException, InterruptedException {
    return await(open().async().configSet("maxmemory", Long.toString(bytes)));
  }

  private long purge() throws StoreUnavailableException, InterruptedException {
    return await(
        open()
            .async()
            .dispatch(
                CommandType.MEMORY,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("PURGE")));
  }

  /** Awaits a command; returns how long another client waited meanwhile. */
  private long await(RedisFuture<String> command)
      throws StoreUnavailableException, InterruptedException {
    long beginNanos = System.nanoTime();
    try {
      RedisFuture<String> ping = required(pings).async().ping();
      var unused = ping.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      long waitedNanos = System.nanoTime() - beginNanos;
      unused = command.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return waitedNanos;
    } catch (ExecutionException | TimeoutException e) {
      throw away(e);
    }
  }

  /** The server evicts on its own, in pieces; returns when it has, or has nothing left to evict. */
  private void awaitEviction(long limitBytes)
      throws StoreUnavailableException, InterruptedException {
    long lastBytes = Long.MAX_VALUE;
    long progressNanos = System.nanoTime();
    while (true) {
      long usedBytes = usedBytes();
      if (usedBytes <= limitBytes + SLACK_BYTES) {
        return;
      }
      if (usedBytes < lastBytes) {
        lastBytes = usedBytes;
        progressNanos = System.nanoTime();
      } else if (System.nanoTime() - progressNanos > STUCK_NANOS) {
        return; // What is left is told as unevictable.
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

  private StatefulRedisConnection<String, String> open() throws StoreUnavailableException {
    return required(commands);
  }

  private StatefulRedisConnection<String, String> required(
      StatefulRedisConnection<String, String> connection) throws StoreUnavailableException {
    if (!isOpen(connection)) {
      throw new StoreUnavailableException(address() + " is not connected", null);
    }
    return connection;
  }

  private static boolean isOpen(StatefulRedisConnection<String, String> connection) {
    return connection != null && connection.isOpen();
  }

  private StoreUnavailableException away(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new StoreUnavailableException(address() + " does not answer: " + cause.getMessage(), e);
  }

  private String address() {
    return settings.server().getHostString() + ":" + settings.server().getPort();
  }

  private void disconnect() {
    StatefulRedisConnection<String, String> first = commands;
    StatefulRedisConnection<String, String> second = pings;
    commands = null;
    pings = null;
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }

  /** The limit stays as it is. */
  @Override
  public void close() {
    disconnect();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
