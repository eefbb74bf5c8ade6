package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.demo.TierLoad.Outcome;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node with two tiers, the cache under MPI-IO and a real Redis, each with its adapter and a
 * policy with the same law. MPI programs read and write a file, clients read and write values, and
 * a burst comes: no byte may be wrong, and the node must stay below M.
 */
@Tag("long")
class MpiIoBesideRedisIT {

  private static final String MPIIO = "mpiio";
  private static final long MIB = 1L << 20;
  private static final long TIER_MAX = 512 * MIB;
  private static final long DATA_SET = 768 * MIB;
  private static final long BURST = 640 * MIB;
  private static final long SEED = 20_261_126;
  private static final long POLL_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 180_000;
  private static final long LEAD_MILLIS = 2_000;
  private static final long LINGER_MILLIS = 3_000;
  private static final long BYTES_PER_SECOND = 48 * MIB;

  /** What a tier that counts as full may lack. */
  private static final long ROOM_BYTES = 24 * MIB;

  @TempDir private Path folder;
  private final StackBurst group = new StackBurst();
  private BenchStack stack;
  private StackSettings settings;
  private RedisBeside redis;
  private DemoNode node;

  @BeforeEach
  void up() throws Exception {
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    Path program = user.project().resolve("mpiio-cache/target/mpiio-serve-mpich");
    if (!Files.isExecutable(program)) {
      Assertions.fail(program + " is missing; build it with mpiio-cache/build");
    }
    stack = new BenchStack(user, Map.of(), false, System.out);
    List<String> given = new ArrayList<>(group.settings(MPIIO));
    given.add("tier.max=" + TIER_MAX);
    stack.up(given);
    settings = stack.settings();
    node = new DemoNode(settings.nodeGroup());
    redis = new RedisBeside(stack, folder, TIER_MAX);
  }

  @AfterEach
  void down() throws Exception {
    if (redis != null) {
      redis.close();
    }
    if (node != null) {
      node.close();
    }
    if (stack != null) {
      stack.close();
    }
    group.close();
  }

  @Test
  void aBurstShrinksBothAndNoByteIsWrong() throws Exception {
    MpiFile file = MpiFile.written(stack.home(), settings, SEED, DATA_SET);
    ValueSet values = new ValueSet(ValueProtocol.Redis, redis.port(), SEED, DATA_SET);
    for (TierDocument each : documents()) {
      each.write(stack.home().policies());
    }
    file.ensure(bytes -> {});
    values.ensure(bytes -> {});
    try (Tier mpiio = new Tier(MPIIO, file);
        Tier redisTier = new Tier(RedisBeside.TIER, values)) {
      List<Tier> tiers = List.of(mpiio, redisTier);
      measure(tiers);
      for (Tier each : tiers) {
        each.readers.close();
      }
    }
    System.out.println("parts that were written anew: " + file.written());
    assertThat(file.written()).as("parts that were written anew").isPositive();
    assertThat(file.wrongInFile()).as("parts that are wrong in the file itself").isEmpty();
    findsWrongBytes(file, values);
  }

  /** Lets a burst come and go while both tiers are read and written, and judges each. */
  private void measure(List<Tier> tiers) throws Exception {
    tiers.forEach(each -> each.readers.pace(Readers.UNLIMITED));
    await("both tiers full", () -> tiers.stream().allMatch(Tier::isFull));
    tiers.forEach(each -> each.readers.pace(BYTES_PER_SECOND));
    Sizing sizing = setBudget(tiers);
    try (MemorySampler memory = new MemorySampler(Clock.systemUTC(), node)) {
      long fromMillis = System.currentTimeMillis();
      Thread.sleep(LEAD_MILLIS);
      List<Long> before = tiers.stream().map(Tier::capacityBytes).toList();
      try (LoadProcess burst = new LoadProcess(sizing.burst(0, 8_000), node::place)) {
        await("the end of the burst", () -> !burst.isAlive());
        await("both tiers back", () -> areBack(tiers, before));
        Thread.sleep(LINGER_MILLIS);
        long toMillis = System.currentTimeMillis();
        Phases phases =
            new Phases(
                fromMillis,
                fromMillis,
                burst.risenMillis(),
                burst.fallingMillis(),
                burst.fallenMillis(),
                toMillis);
        judge(tiers, sizing, phases, memory.trace(), burst.reports());
      }
    }
  }

  /**
   * A budget of which two full tiers use r0. They are almost as large as they may be, so one that
   * takes back more than the other leaves it enough to count as back, too.
   */
  private Sizing setBudget(List<Tier> tiers) throws Exception {
    long budgetBytes = Math.round(node.usedBytes() / settings.threshold());
    for (TierDocument each : documents()) {
      each.write(stack.home().policies(), budgetBytes);
    }
    await(
        "decisions for both tiers with the budget",
        () -> tiers.stream().allMatch(each -> each.budgetBytes() == budgetBytes));
    return new Sizing(budgetBytes, DATA_SET, BURST);
  }

  private void judge(
      List<Tier> tiers,
      Sizing sizing,
      Phases phases,
      UtilizationTrace memory,
      List<LoadProcess.Report> held)
      throws Exception {
    // The weights are the same, so each tier has to give half of the burst.
    Sizing half = new Sizing(sizing.budgetBytes(), sizing.dataSetBytes(), BURST / tiers.size());
    for (Tier each : tiers) {
      DemoReport report =
          new Measurement(each.demo(), half, phases, memory, held, each.loop)
              .report(each.readers, NodeMemoryReader.now().totalBytes(), 0);
      System.out.println(each + ": " + report);
      assertThat(Judge.failures(report)).as("%s: %s", each, report).isEmpty();
    }
    long mostBytes =
        group.isAlone()
            ? memory.maxUsedBytes(phases.idleFrom(), phases.end())
            : OthersMemory.of(
                    memory,
                    millis -> tierBytes(tiers, millis) + LoadProcess.heldBytes(held, millis),
                    phases.idleFrom(),
                    phases.end())
                .maxUsedBytes();
    System.out.printf(
        Locale.ROOT,
        "the highest use of M, %d MiB, was %.4f; r0 is %.2f%n",
        sizing.budgetBytes() / MIB,
        (double) mostBytes / sizing.budgetBytes(),
        settings.threshold());
    assertThat(mostBytes).as("the most memory in use").isLessThanOrEqualTo(sizing.budgetBytes());
  }

  /** So the checks do find a wrong byte, in the one store as in the other. */
  private void findsWrongBytes(MpiFile file, ValueSet values) throws Exception {
    int item = 5;
    try (RandomAccessFile bytes = new RandomAccessFile(file.file().toFile(), "rw")) {
      long at = (long) item * MpiFile.PART_BYTES + 77;
      bytes.seek(at);
      int right = bytes.read();
      bytes.seek(at);
      bytes.write(right ^ 1);
    }
    try (TierLoad.Session session = file.session()) {
      assertThat(session.read(item)).isEqualTo(Outcome.Wrong);
      assertThat(session.read(item + 1)).isEqualTo(Outcome.Correct);
    }
    assertThat(file.wrongInFile()).containsExactly(item);
    try (LineSocket server = new LineSocket(redis.port());
        TierLoad.Session session = values.session()) {
      String key = "dynims-demo-" + SEED + "-" + item;
      var unused = session.read(item);
      byte[] value = ValueProtocol.Redis.get(server, key);
      value[77] ^= 1;
      ValueProtocol.Redis.set(server, key, value);
      assertThat(session.read(item)).isEqualTo(Outcome.Wrong);
    }
  }

  private static boolean areBack(List<Tier> tiers, List<Long> before) {
    for (int i = 0; i < tiers.size(); i++) {
      Tier tier = tiers.get(i);
      if (!tier.isFull() || tier.capacityBytes() < Judge.BACK * before.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static long tierBytes(List<Tier> tiers, long millis) {
    return tiers.stream()
        .mapToLong(each -> Measurement.tierBytes(each.loop.acks(0, Long.MAX_VALUE), millis))
        .sum();
  }

  private List<TierDocument> documents() {
    return List.of(
        document(MPIIO, "MpiIo", settings.adapterUrl()),
        document(RedisBeside.TIER, "Redis", redis.adapterUrl()));
  }

  private TierDocument document(String tier, String store, String adapter) {
    return new TierDocument(
        tier, store, settings.nodeName(), adapter, TIER_MAX, settings.threshold(), 1);
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

  /** A tier, what is read through it, and what the loop said of it. */
  private final class Tier implements AutoCloseable {

    private final String name;
    private final TierLoad load;
    private final LoopRecorder loop;
    private final Readers readers;

    Tier(String name, TierLoad load) throws Exception {
      this.name = name;
      this.load = load;
      this.loop = new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName(), name);
      this.readers = new Readers(load, SEED);
    }

    boolean isFull() {
      return loop.lastAck()
          .filter(ack -> ack.usedBytes() > ack.capacityBytes() - ROOM_BYTES)
          .isPresent();
    }

    long capacityBytes() {
      return loop.lastAck().map(Ack::capacityBytes).orElse(0L);
    }

    long budgetBytes() {
      return loop.lastTarget().map(Target::memoryTotalBytes).orElse(0L);
    }

    DemoSettings demo() throws Exception {
      return new DemoSettings(
          settings.nodeName(),
          node,
          stack.clients().tier(),
          stack.clients().kafkaProperties(),
          load,
          stack.home().policies(),
          folder.resolve(name + "-report.json"),
          TIER_MAX,
          settings.threshold(),
          SEED);
    }

    @Override
    public void close() throws InterruptedException {
      readers.close();
      loop.close();
    }

    @Override
    public String toString() {
      return name + ", " + Judge.mebibytes(readers.ok() * load.itemBytes()) + " MiB compared";
    }
  }
}
