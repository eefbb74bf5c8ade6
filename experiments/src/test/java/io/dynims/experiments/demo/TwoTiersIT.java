package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.experiments.bench.BenchStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with two tiers: real Alluxio and real Redis, each with its adapter, and one loop. */
class TwoTiersIT {

  private static final String ALLUXIO = "alluxio";
  private static final String REDIS = RedisBeside.TIER;
  private static final Map<String, Integer> WEIGHTS = Map.of(ALLUXIO, 2, REDIS, 1);

  private static final long MIB = 1L << 20;
  private static final long TIER_MAX = 512 * MIB;
  private static final long DATA_SET = 768 * MIB;
  private static final long BURST = 480 * MIB;
  private static final double THRESHOLD = 0.95;
  private static final long SEED = 20_261_123;
  private static final long POLL_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 180_000;
  private static final long BYTES_PER_SECOND = 48 * MIB;

  @TempDir private Path folder;
  private BenchStack stack;
  private StackSettings settings;
  private RedisBeside redis;

  @BeforeEach
  void up() throws Exception {
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    stack = new BenchStack(user, Map.of(), false, System.out);
    stack.up(List.of("tier.max=" + TIER_MAX));
    settings = stack.settings();
    redis = new RedisBeside(stack, folder, TIER_MAX);
  }

  @AfterEach
  void down() throws Exception {
    if (redis != null) {
      redis.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void aBurstShrinksBothByTheirWeights() throws Exception {
    for (TierDocument each : documents()) {
      each.write(stack.home().policies());
    }
    try (LoopRecorder loop =
            new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName());
        AlluxioFiles alluxio =
            new AlluxioFiles("127.0.0.1", settings.port("alluxio.master.port"))) {
      DataSet files = new DataSet(alluxio.files(), SEED, DATA_SET);
      ValueSet values = new ValueSet(ValueProtocol.Redis, redis.port(), SEED, DATA_SET);
      files.ensure(bytes -> {});
      values.ensure(bytes -> {});
      try (Readers fileReaders = new Readers(files, SEED);
          Readers valueReaders = new Readers(values, SEED)) {
        List<Readers> readers = List.of(fileReaders, valueReaders);
        readers.forEach(each -> each.pace(Readers.UNLIMITED));
        await("both tiers full", () -> isFull(loop, ALLUXIO) && isFull(loop, REDIS));
        long budgetBytes = Math.round(NodeMemoryReader.now().usedBytes() / (THRESHOLD - 0.01));
        for (TierDocument each : documents()) {
          each.write(stack.home().policies(), budgetBytes);
        }
        readers.forEach(each -> each.pace(BYTES_PER_SECOND));
        await(
            "decisions for both tiers with the budget",
            () -> WEIGHTS.keySet().stream().allMatch(tier -> decided(loop, tier) == budgetBytes));
        Map<String, Long> before = capacities(loop);
        long othersBytes = othersBytes(before);

        long fromMillis = System.currentTimeMillis();
        try (MemorySampler memory =
                new MemorySampler(Clock.systemUTC(), 25, () -> NodeMemoryReader.now().usedBytes());
            LoadProcess burst = new LoadProcess(profile())) {
          await("the end of the burst", () -> !burst.isAlive());
          List<LoadProcess.Report> held = burst.reports();
          await("both tiers back", () -> areBack(capacities(loop), before, othersBytes));
          List<List<Ack>> acks = WEIGHTS.keySet().stream().map(tier -> acks(loop, tier)).toList();
          OthersMemory others =
              OthersMemory.of(
                  memory.trace(),
                  millis -> tierBytes(acks, millis) + LoadProcess.heldBytes(held, millis),
                  fromMillis,
                  System.currentTimeMillis());
          assertThat(others.maxUsedBytes())
              .as("the most memory in use, but for what others have grown by: %s", others)
              .isLessThanOrEqualTo(budgetBytes);
        }

        long toMillis = System.currentTimeMillis();
        assertThat(readers).allMatch(each -> each.corrupt() == 0 && each.failed() == 0);
        Map<String, Long> gave = new HashMap<>();
        WEIGHTS.forEach(
            (tier, weight) ->
                gave.put(tier, before.get(tier) - least(loop, tier, fromMillis, toMillis)));
        System.out.println("gave in all: " + gave + " of " + before);
        // By weight only what holds data, and in between each takes back what its data can fill.
        assertThat(gave.get(ALLUXIO)).isGreaterThan(gave.get(REDIS));
        assertThat(gave.get(REDIS)).isPositive();
        checkSteps(loop.targets(fromMillis, toMillis));
      }
    }
  }

  /**
   * Whether the tiers have what they had before, but for what the node's other programs have grown
   * by.
   */
  private static boolean areBack(
      Map<String, Long> now, Map<String, Long> before, long othersBytes) {
    long grown = othersBytes(now) - othersBytes;
    return sum(now) > 0.9 * sum(before) - Math.max(0, grown);
  }

  /** What the node uses but for its tiers. */
  private static long othersBytes(Map<String, Long> capacities) {
    try {
      return NodeMemoryReader.now().usedBytes() - sum(capacities);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The data of both tiers at a time. */
  private static long tierBytes(List<List<Ack>> acks, long millis) {
    return acks.stream().mapToLong(each -> Measurement.tierBytes(each, millis)).sum();
  }

  private static long sum(Map<String, Long> capacities) {
    return capacities.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Where both tiers had answered and none was at a bound, their parts add up to the step. */
  private static void checkSteps(List<Target> targets) {
    Map<Long, Map<String, Target>> bySample = new HashMap<>();
    targets.forEach(
        each ->
            bySample
                .computeIfAbsent(each.sampledMillis(), at -> new HashMap<>())
                .put(each.tier(), each));
    int checked = 0;
    for (Map<String, Target> pair : bySample.values()) {
      boolean divided =
          pair.size() == 2
              && pair.values().stream()
                  .allMatch(
                      each ->
                          each.share() != null
                              && each.share().tiers() == 2
                              && each.share().stepBytes() > MIB
                              && each.action() == Action.Shrink
                              && each.limitedBy() == Limit.None);
      if (divided) {
        Target alluxio = pair.get(ALLUXIO);
        Target redis = pair.get(REDIS);
        assertThat(alluxio.share().ratio() / redis.share().ratio())
            .isCloseTo(2, Percentage.withPercentage(1));
        assertThat(alluxio.share().stepBytes())
            .as("the same step for both")
            .isEqualTo(redis.share().stepBytes());
        assertThat(gives(alluxio) + gives(redis))
            .as("together what the law takes: %s", alluxio.reason())
            .isCloseTo(alluxio.stepBytes() + redis.stepBytes(), Percentage.withPercentage(1));
        checked++;
      }
    }
    System.out.println("steps that both took part in: " + checked);
    assertThat(checked).isGreaterThan(5);
  }

  private static long gives(Target target) {
    return target.previousBytes() - target.desiredBytes();
  }

  private static LoadProfile profile() {
    return LoadProfile.startingAt(0).then(4_000, BURST).then(4_000, BURST).then(4_000, 0);
  }

  private List<TierDocument> documents() {
    return List.of(
        document(ALLUXIO, "Alluxio", settings.adapterUrl()),
        document(REDIS, "Redis", redis.adapterUrl()));
  }

  private TierDocument document(String tier, String store, String adapter) {
    return new TierDocument(
        tier, store, settings.nodeName(), adapter, TIER_MAX, THRESHOLD, WEIGHTS.get(tier));
  }

  private static boolean isFull(LoopRecorder loop, String tier) {
    return acks(loop, tier).stream()
        .reduce((earlier, later) -> later)
        .filter(ack -> ack.usedBytes() > ack.capacityBytes() - 48 * MIB)
        .isPresent();
  }

  private static long decided(LoopRecorder loop, String tier) {
    return loop.targets(0, Long.MAX_VALUE).stream()
        .filter(each -> each.tier().equals(tier))
        .reduce((earlier, later) -> later)
        .map(Target::memoryTotalBytes)
        .orElse(0L);
  }

  private static Map<String, Long> capacities(LoopRecorder loop) {
    Map<String, Long> capacities = new HashMap<>();
    for (String tier : WEIGHTS.keySet()) {
      acks(loop, tier).forEach(ack -> capacities.put(tier, ack.capacityBytes()));
    }
    return capacities;
  }

  private static long least(LoopRecorder loop, String tier, long fromMillis, long toMillis) {
    return acks(loop, tier).stream()
        .filter(ack -> ack.appliedMillis() >= fromMillis && ack.appliedMillis() <= toMillis)
        .mapToLong(Ack::capacityBytes)
        .min()
        .orElseThrow();
  }

  private static List<Ack> acks(LoopRecorder loop, String tier) {
    return loop.acks(0, Long.MAX_VALUE).stream().filter(ack -> ack.tier().equals(tier)).toList();
  }

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    boolean met =
        Await.until(
            PATIENCE_MILLIS,
            POLL_MILLIS,
            () -> {
              redis.requireAlive();
              return condition.getAsBoolean();
            });
    assertThat(met).as(what).isTrue();
  }
}
