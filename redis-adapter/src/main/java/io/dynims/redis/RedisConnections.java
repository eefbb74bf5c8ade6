package io.dynims.redis;

import io.dynims.tier.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
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

/**
 * Two connections to one server: one for commands, and one that measures how long other clients
 * wait for them. Thread-safe, but for {@link #open}.
 */
final class RedisConnections implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final RedisSettings settings;
  private final RedisClient client = RedisClient.create();
  private volatile StatefulRedisConnection<String, String> commands;
  private volatile StatefulRedisConnection<String, String> pings;

  RedisConnections(RedisSettings settings) {
    this.settings = settings;
    ClientOptions.Builder options =
        ClientOptions.builder()
            // The tier reconnects by itself, and wants to know at once that the server is away.
            .autoReconnect(false)
            .socketOptions(SocketOptions.builder().connectTimeout(TIMEOUT).build())
            .timeoutOptions(TimeoutOptions.enabled(TIMEOUT));
    settings.tls().ifPresent(files -> options.sslOptions(RedisTls.options(files)));
    client.setOptions(options.build());
  }

  boolean areOpen() {
    return isOpen(commands) && isOpen(pings);
  }

  /**
   * Connects both anew.
   *
   * @throws StoreUnavailableException if the server does not answer, or refuses this user
   */
  void open() throws StoreUnavailableException {
    disconnect();
    try {
      commands = client.connect(uri());
      pings = client.connect(uri());
    } catch (RedisException | IOException e) {
      throw unavailable(e);
    }
  }

  private RedisURI uri() throws IOException {
    RedisURI.Builder builder =
        RedisURI.builder()
            .withHost(settings.server().getHostString())
            .withPort(settings.server().getPort())
            .withSsl(settings.tls().isPresent())
            .withTimeout(TIMEOUT);
    var password = settings.password();
    if (password.isPresent() && !settings.username().isEmpty()) {
      builder.withAuthentication(settings.username(), password.get());
    } else if (password.isPresent()) {
      builder.withPassword(password.get());
    }
    RedisURI uri = builder.build();
    // The client would tell its name with a command that a user with few rights may not send.
    uri.setLibraryName(null);
    uri.setLibraryVersion(null);
    return uri;
  }

  /**
   * Asks for a section of INFO, such as {@code memory}.
   *
   * @throws StoreUnavailableException if there is no answer, or a refusal
   */
  RedisInfo info(String section) throws StoreUnavailableException {
    try {
      return RedisInfo.parse(required(commands).sync().info(section));
    } catch (RedisException e) {
      throw unavailable(e);
    }
  }

  /**
   * Sets a parameter of the server.
   *
   * @return how long another client waited meanwhile, in nanoseconds
   * @throws StoreUnavailableException if there is no answer, or a refusal
   */
  long set(String parameter, String value) throws StoreUnavailableException, InterruptedException {
    return await(required(commands).async().configSet(parameter, value));
  }

  /**
   * Sets a parameter that not every build of the server has.
   *
   * @return why the server refuses that; empty if it does not
   * @throws StoreUnavailableException if there is no answer
   */
  String trySet(String parameter, String value) throws StoreUnavailableException {
    try {
      var unused = required(commands).sync().configSet(parameter, value);
      return "";
    } catch (RedisCommandExecutionException e) {
      return e.getMessage();
    } catch (RedisException e) {
      throw unavailable(e);
    }
  }

  /** Makes the server give free pages back to the node; returns and throws as {@link #set}. */
  long purge() throws StoreUnavailableException, InterruptedException {
    return await(
        required(commands)
            .async()
            .dispatch(
                CommandType.MEMORY,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("PURGE")));
  }

  /** Awaits a command; returns how long another client waited meanwhile. */
  private long await(RedisFuture<String> command)
      throws StoreUnavailableException, InterruptedException {
    long waitedNanos = ping();
    var unused = answer(command);
    return waitedNanos;
  }

  /**
   * Waits as another client does.
   *
   * @return for how long, in nanoseconds
   * @throws StoreUnavailableException if there is no answer, or a refusal
   */
  long ping() throws StoreUnavailableException, InterruptedException {
    long beginNanos = System.nanoTime();
    var unused = answer(required(pings).async().ping());
    return System.nanoTime() - beginNanos;
  }

  private String answer(RedisFuture<String> command)
      throws StoreUnavailableException, InterruptedException {
    try {
      return command.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw unavailable(e);
    }
  }

  private StatefulRedisConnection<String, String> required(
      StatefulRedisConnection<String, String> connection) throws StoreUnavailableException {
    if (!isOpen(connection)) {
      throw new StoreUnavailableException(settings.address() + " is not connected", null);
    }
    return connection;
  }

  private static boolean isOpen(StatefulRedisConnection<String, String> connection) {
    return connection != null && connection.isOpen();
  }

  /**
   * After a failure the server is connected, and so checked, anew. An answer that is late may never
   * come: the peer of a connection can vanish without its end.
   */
  private StoreUnavailableException unavailable(Exception e) {
    disconnect();
    return new StoreUnavailableException(
        settings.address() + " " + RedisFailure.describe(settings, e), e);
  }

  void disconnect() {
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

  @Override
  public void close() {
    disconnect();
    client.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
