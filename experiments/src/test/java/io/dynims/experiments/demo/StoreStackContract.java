package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.ProcessId;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.testing.Needs;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole stack on the real server of a store; its programs must be built. */
abstract class StoreStackContract {

  private static final long SEED = 20_261_124;
  private static final long HEAL_MILLIS = 120_000;
  private static final long REFILL_MILLIS = 180_000;
  private static final long POLL_MILLIS = 20;
  private static final long BYTES_PER_SECOND = 32L << 20;

  @TempDir private Path folder;
  private final StackBurst burst = new StackBurst();
  private final String store;
  private final String program;
  private final ValueProtocol protocol;
  private final List<String> given;
  private BenchStack stack;

  /**
   * A store.
   *
   * @param store the setting
   * @param program the server's program and package
   */
  StoreStackContract(String store, String program, ValueProtocol protocol) {
    this.store = store;
    this.program = program;
    this.protocol = protocol;
    this.given = burst.settings(store);
  }

  @BeforeEach
  final void up() throws Exception {
    Needs.installed(Path.of("/usr/bin", program), program);
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    stack = new BenchStack(user, Map.of(), false, System.out);
    // Returns when a sample has become a capacity in force.
    stack.up(given);
  }

  @AfterEach
  final void down() throws Exception {
    if (stack != null) {
      stack.close();
      assertThat(stack.stack().isUp()).isFalse();
    }
    burst.close();
  }

  @Test
  void makesRoomForBurstsAndHealsWhereItsProcessesAreKilled() throws Exception {
    assertThat(stack.stack().status())
        .allSatisfy(part -> assertThat(part.state()).isEqualTo(PartStatus.State.Running))
        .extracting(PartStatus::part)
        .contains(store, "adapter")
        .doesNotContain("alluxio-worker");
    assertThatThrownBy(() -> userContext().settingsToStart(List.of(), Optional.of("alluxio")))
        .isInstanceOf(StackException.class)
        .hasMessageContainingAll("store=alluxio", "./dynims down");
    StackSettings settings = stack.settings();
    long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();
    ValueSet values = new ValueSet(protocol, settings.port(store + ".port"), SEED, bytes);

    // Twice: memory that was freed and taken again has to be freed again.
    for (int i = 0; i < 2; i++) {
      assertThat(burst.run(stack, folder, values, SEED).readsMissed())
          .as("values that made room for the burst")
          .isPositive();
    }
    try (LoopRecorder loop =
            new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName());
        Readers readers = new Readers(values, SEED)) {
      readers.pace(BYTES_PER_SECOND);
      killAdapter(readers);
      killStore(loop, readers, bytes);
      assertThat(readers.corrupt()).as("wrong values").isZero();
    }
  }

  private CliContext userContext() {
    return new CliContext(
        stack.home().project(),
        Map.of("DYNIMS_HOME", stack.home().state().toString()),
        System.out,
        System.err);
  }

  /** Its clients notice nothing. */
  private void killAdapter(Readers readers) throws Exception {
    long capacityBytes = stack.clients().tier().get().tier().capacityBytes();

    killAndRestart("adapter");

    assertThat(stack.clients().tier().get().tier().capacityBytes())
        .as("about the limit of before")
        .isGreaterThan(capacityBytes / 2);
    assertThat(readers.failed()).as("reads that failed while the adapter was away").isZero();
  }

  /** Its data is lost: misses, until it has been written again. */
  private void killStore(LoopRecorder loop, Readers readers, long bytes) throws Exception {
    long missed = readers.missed();

    killAndRestart(store);

    readers.pace(Readers.UNLIMITED);
    await(REFILL_MILLIS, "a full tier again", () -> loop.isTierFull(bytes));
    long lostValues = loop.lastAck().orElseThrow().usedBytes() / 2 / ValueSet.VALUE_BYTES;
    assertThat(readers.missed() - missed)
        .as("values lost and written again")
        .isGreaterThan(lostValues);
  }

  /** Nobody restarts the parts of a local stack but its user. */
  private void killAndRestart(String part) throws Exception {
    ProcessId.read(stack.home().pid(part)).orElseThrow().kill();
    long endedMillis = System.currentTimeMillis();
    CompletableFuture<Long> healed = CompletableFuture.supplyAsync(() -> healMillis(endedMillis));
    stack.up(given);
    System.out.printf(
        "%s: %s killed and started again: a new capacity in force after %d ms%n",
        getClass().getSimpleName(), part, healed.get());
  }

  /** How long it takes until a decision on a later sample than that time is in force. */
  private long healMillis(long sinceMillis) {
    try {
      TierClient adapter = stack.clients().tier();
      await(HEAL_MILLIS, "a new capacity in force", () -> isInForce(adapter, sinceMillis));
      return System.currentTimeMillis() - sinceMillis;
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private static boolean isInForce(TierClient adapter, long sinceMillis) {
    try {
      TierStatus tier = adapter.get().tier();
      return tier != null && tier.sampledMillis() != null && tier.sampledMillis() > sinceMillis;
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }

  private static void await(long atMostMillis, String what, BooleanSupplier condition)
      throws InterruptedException {
    assertThat(Await.until(atMostMillis, POLL_MILLIS, condition)).as(what).isTrue();
  }
}
