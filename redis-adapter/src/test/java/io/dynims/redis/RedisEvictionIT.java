package io.dynims.redis;

import static io.dynims.redis.RedisProcess.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.LogLines;
import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.tier.TierStatus;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real Redis server that cannot evict what it is asked to give. */
class RedisEvictionIT {

  private static final long MEBIBYTE = 1L << 20;
  private static final long LIMIT_BYTES = 512 * MEBIBYTE;
  private static final String VALUE = "v".repeat(64 << 10);
  private static final int KEYS = 1_280;

  /** A third of what the smallest steps would need for the keys; they are 80 MiB. */
  private static final long MOST_CHANGES = 20;

  /** What the server itself needs, besides data. */
  private static final long SLACK_BYTES = 4 * MEBIBYTE;

  @AutoClose private ServerProcess server;
  @AutoClose private LimitedTier tier;
  private final List<Socket> clients = new ArrayList<>();

  @BeforeEach
  void serve() throws Exception {
    server = RedisProcess.start(LIMIT_BYTES, List.of());
    tier =
        RedisProcess.tier(
            RedisProcess.settings(server, Optional.empty(), Optional.empty()), LIMIT_BYTES);
  }

  @AfterEach
  void disconnect() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
  }

  @Test
  void keepsItsKeysWhileClientsDoNotReadWhatTheyHaveAskedFor() throws Exception {
    write(0, KEYS, new SetArgs());
    for (int i = 0; i < 20; i++) {
      askForMuch(i * 60);
    }
    awaitFullBuffers();

    var unused = tier.resize(128 * MEBIBYTE);
    await().until(() -> tier.reconcile());

    assertThat(keys()).isGreaterThan(KEYS * 3 / 4);
    TierStatus status = tier.status();
    assertThat(status.unevictableBytes()).isGreaterThan(64 * MEBIBYTE);
    assertThat(status.capacityBytes()).isBetween(192 * MEBIBYTE, LIMIT_BYTES);

    unused = tier.resize(32 * MEBIBYTE);
    await().until(() -> tier.reconcile());
    assertThat(keys()).as("each MiB of the goal is for data").isBetween(KEYS / 8L, KEYS / 2L);
    assertThat(tier.status().unevictableBytes()).isGreaterThan(128 * MEBIBYTE);

    disconnect();

    await().until(() -> tier.status().capacityBytes() == 32 * MEBIBYTE);
    await().until(() -> tier.status().unevictableBytes() < SLACK_BYTES);
    assertThat(keys()).isGreaterThan(KEYS / 8);
  }

  @Test
  void evictsNothingMoreOnceItsPolicyIsNoevictionAndGoesOnWhenItIsAnotherOne() throws Exception {
    write(0, KEYS, new SetArgs());
    String told =
        "localhost:%d has maxmemory-policy noeviction: with less memory it would refuse writes"
            .formatted(server.address().getPort());
    try (LogLines lines = new LogLines(LimitedTier.class)) {
      // Only the tier's own look at the store is logged; it may come before or after the request.
      setPolicy("noeviction");
      assertThatThrownBy(() -> tier.resize(32 * MEBIBYTE)).hasMessageStartingWith(told);
      RedisProcess.awaitReason(tier, told);
      await().until(() -> !lines.with("noeviction").isEmpty());
      assertThatThrownBy(() -> tier.resize(16 * MEBIBYTE)).hasMessageStartingWith(told);
      assertThat(tier.reconcile()).isFalse();
      assertThat(lines.with("noeviction")).hasSize(1);
    }
    assertThat(keys()).isEqualTo(KEYS);
    assertThat(info().limitBytes()).isEqualTo(LIMIT_BYTES);

    setPolicy("allkeys-lfu");

    await().until(() -> tier.resize(32 * MEBIBYTE).capacityBytes() == 32 * MEBIBYTE);
    await().until(() -> tier.status().usedBytes() <= 32 * MEBIBYTE + SLACK_BYTES);
  }

  @Test
  void evictsTheKeysThatExpireAndRefusesNoWriteWhenNoneIsLeft() throws Exception {
    setPolicy("volatile-lru");
    write(0, KEYS / 2, new SetArgs().ex(3_600));
    write(KEYS / 2, KEYS, new SetArgs());

    var unused = tier.resize(16 * MEBIBYTE);
    await().until(() -> keys() < KEYS / 2 + KEYS / 16);
    await().until(() -> tier.reconcile());

    for (int i = 0; i < 100; i++) {
      write(KEYS / 2 + i % 10, KEYS / 2 + i % 10 + 1, new SetArgs());
      Thread.sleep(10);
    }
    TierStatus status = tier.status();
    assertThat(status.capacityBytes()).isGreaterThanOrEqualTo(status.usedBytes());
    assertThat(status.unevictableBytes()).isGreaterThan(32 * MEBIBYTE);
    assertThat(keys()).isGreaterThanOrEqualTo(KEYS / 2);

    setPolicy("allkeys-lru");

    await().until(() -> tier.status().capacityBytes() == 16 * MEBIBYTE);
    await().until(() -> tier.status().usedBytes() <= 16 * MEBIBYTE + SLACK_BYTES);
  }

  @Test
  void givesMemoryBackInFewStepsWhereOthersWaitForLongAnyway() throws Exception {
    int rounds = 4;
    var stopped = new AtomicBoolean();
    List<Thread> busy = Stream.generate(() -> busyClient(stopped)).limit(2).toList();
    try {
      await().until(() -> calls("eval") > 0);
      long changes = 0;
      long scripts = 0;
      for (int i = 0; i < rounds; i++) {
        writeAtOnce();
        assertThat(info().usedBytes()).isGreaterThan(64 * MEBIBYTE);
        long changesBefore = calls("config\\|set");
        long scriptsBefore = calls("eval");

        var unused = tier.resize(16 * MEBIBYTE);
        await().until(() -> tier.status().usedBytes() <= 16 * MEBIBYTE + SLACK_BYTES);

        changes += calls("config\\|set") - changesBefore;
        scripts += calls("eval") - scriptsBefore;
        unused = tier.resize(LIMIT_BYTES);
        await().until(() -> info().limitBytes() == LIMIT_BYTES);
      }

      assertThat(changes)
          .as("changes of the limit in all rounds; the smallest steps would need hundreds")
          .isBetween((long) rounds, rounds * MOST_CHANGES);
      assertThat(scripts).as("scripts in between").isPositive();
      assertThat(busy).allMatch(Thread::isAlive);
    } finally {
      stopped.set(true);
      for (Thread client : busy) {
        client.join();
      }
    }
  }

  /** Keeps the server busy, for some milliseconds at a time. */
  private Thread busyClient(AtomicBoolean stopped) {
    String script = "local sum = 0 for i = 1, 300000 do sum = sum + i end return sum";
    var client =
        new Thread(
            () ->
                RedisProcess.ask(
                    server,
                    redis -> {
                      while (!stopped.get()) {
                        redis.eval(script, ScriptOutputType.INTEGER);
                      }
                      return null;
                    }));
    client.start();
    return client;
  }

  /** How often the server has run a command, by a pattern of its name. */
  private long calls(String command) {
    String told = RedisProcess.ask(server, redis -> redis.info("commandstats"));
    var calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(told);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  /** Waits until the buffers, which the server adds up once a second, do not grow any more. */
  private void awaitFullBuffers() {
    AtomicLong last = new AtomicLong();
    await()
        .pollInterval(Duration.ofMillis(1_500))
        .until(
            () -> {
              long nowBytes = info().heldBytes();
              long growthBytes = nowBytes - last.getAndSet(nowBytes);
              return nowBytes > 140 * MEBIBYTE && growthBytes < MEBIBYTE;
            });
  }

  /** The server makes an answer of 10 MB, of which the client reads nothing. */
  private void askForMuch(int from) throws IOException {
    Socket client = new Socket();
    client.setReceiveBufferSize(4 << 10);
    client.connect(server.address());
    String keys =
        IntStream.range(from, from + 80).mapToObj(i -> " k" + i).collect(Collectors.joining());
    client.getOutputStream().write(("MGET" + keys + keys + "\r\n").getBytes(US_ASCII));
    clients.add(client);
  }

  private void write(int from, int to, SetArgs args) {
    var unused =
        RedisProcess.ask(
            server,
            redis -> {
              for (int i = from; i < to; i++) {
                redis.set("k" + i, VALUE, args);
              }
              return null;
            });
  }

  /** Writes all keys in few commands, as each may have to wait for scripts. */
  private void writeAtOnce() {
    for (int from = 0; from < KEYS; from += KEYS / 10) {
      Map<String, String> values =
          IntStream.range(from, from + KEYS / 10)
              .boxed()
              .collect(Collectors.toMap(key -> "k" + key, key -> VALUE));
      assertThat(RedisProcess.<String>ask(server, redis -> redis.mset(values))).isEqualTo("OK");
    }
  }

  private void setPolicy(String policy) {
    var unused = RedisProcess.ask(server, redis -> redis.configSet("maxmemory-policy", policy));
  }

  private long keys() {
    return RedisProcess.ask(server, RedisCommands::dbsize);
  }

  private RedisInfo info() {
    return RedisInfo.parse(RedisProcess.ask(server, RedisCommands::info));
  }
}
