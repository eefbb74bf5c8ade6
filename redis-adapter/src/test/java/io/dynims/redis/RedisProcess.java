package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Real Redis servers without files, users of them, and tiers. */
final class RedisProcess {

  /** The only rights that the adapter needs, as docs/stores.md says. */
  static final List<String> RIGHTS =
      List.of("-@all", "+ping", "+info", "+config|set", "+memory|purge");

  static final Path PROGRAM = Path.of("/usr/bin/redis-server");
  static final String USER = "dynims";

  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long MIN_BYTES = 8L << 20;

  private RedisProcess() {}

  static ServerProcess start(long limitBytes, List<String> more) throws IOException {
    return new ServerProcess(PROGRAM, "--port", options(limitBytes, more), "PING");
  }

  /** Options for a user who has the rights that the adapter needs, but for those that it lacks. */
  static List<String> user(String password, String... lacking) {
    List<String> options = new ArrayList<>(List.of("--user", USER, "on", ">" + password));
    options.addAll(RIGHTS);
    options.removeAll(List.of(lacking));
    return options;
  }

  /** The options that all have; a later one overrides an earlier one. */
  static List<String> options(long limitBytes, List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--maxmemory",
                Long.toString(limitBytes),
                "--maxmemory-policy",
                "allkeys-lru"));
    options.addAll(more);
    return options;
  }

  /** Settings with a user whose password is in a file; without a file, of the default user. */
  static RedisSettings settings(
      ServerProcess server, Optional<Path> passwordFile, Optional<TlsFiles> tls) {
    return new RedisSettings(
        server.address(),
        passwordFile.isPresent() ? USER : "",
        passwordFile,
        tls,
        STALL_NANOS,
        false);
  }

  /** The same settings for another way to the server. */
  static RedisSettings at(InetSocketAddress address, RedisSettings settings) {
    return new RedisSettings(
        address,
        settings.username(),
        settings.passwordFile(),
        settings.tls(),
        settings.stallNanos(),
        settings.defragments());
  }

  /** The same settings with active defragmentation. */
  static RedisSettings defragmenting(RedisSettings settings) {
    return new RedisSettings(
        settings.server(),
        settings.username(),
        settings.passwordFile(),
        settings.tls(),
        settings.stallNanos(),
        true);
  }

  /** A tier that is started, with up to so many bytes. */
  static LimitedTier tier(RedisSettings settings, long maxBytes) throws InterruptedException {
    LimitedTier tier =
        new LimitedTier(
            new LimitedSettings("redis", new CapacityBounds(MIN_BYTES, maxBytes), BUDGET_NANOS),
            new RedisServer(settings),
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  /** A slow machine is no error, and a server that has just been started is away for a while. */
  static ConditionFactory await() {
    return Awaitility.await().ignoreException(StoreUnavailableException.class);
  }

  /** Awaits that a tier tells of its store what it should, in one line. */
  static void awaitReason(LimitedTier tier, String beginning) {
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(tier::status)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith(beginning)
                    .hasMessageNotContaining("\n"));
  }

  static RedisURI uri(ServerProcess of) {
    return RedisURI.create("127.0.0.1", of.address().getPort());
  }

  /** Asks a server as its default user, who may do everything. */
  static <T> T ask(ServerProcess server, Function<RedisCommands<String, String>, T> what) {
    RedisClient client = RedisClient.create(uri(server));
    try {
      return what.apply(client.connect().sync());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
