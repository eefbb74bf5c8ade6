package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.ProcessId;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole stack on the agent of a cache under MPI-IO; its programs must be built. */
class MpiIoStackIT {

  private static final long SEED = 20_261_124;
  private static final String AGENT = "mpiio-agent";
  private static final Path FILL =
      Path.of("../mpiio-cache/target/mpiio-fill").toAbsolutePath().normalize();
  private static final int FILE_BYTES = 64 << 20;

  @TempDir private Path folder;
  private final StackBurst burst = new StackBurst();
  private final List<String> given = burst.settings("mpiio");
  private BenchStack stack;
  private Path directory;

  @BeforeEach
  void up() throws Exception {
    if (!Files.isExecutable(FILL)) {
      Assertions.fail(FILL + " is missing; build it with mpiio-cache/build");
    }
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    stack = new BenchStack(user, Map.of(), false, System.out);
    // Returns when a sample has become a capacity in force.
    stack.up(given);
    directory = stack.home().tier(stack.settings().tierParent());
  }

  @AfterEach
  void down() throws Exception {
    if (stack != null) {
      stack.close();
      assertThat(stack.stack().isUp()).isFalse();
    }
    burst.close();
  }

  @Test
  void makesRoomForABurstWhileMpiProgramsRead() throws Exception {
    StackSettings settings = stack.settings();
    long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();

    burst.run(stack, folder, MpiFile.of(stack.home(), settings, SEED, bytes), SEED);
  }

  @Test
  void isATierThatHealsWhereItsProcessesAreKilled() throws Exception {
    assertThat(stack.stack().status())
        .allSatisfy(part -> assertThat(part.state()).isEqualTo(PartStatus.State.Running))
        .extracting(PartStatus::part)
        .contains(AGENT, "adapter")
        .doesNotContain("alluxio-worker");
    assertThat(part(AGENT).address()).isEqualTo("DYNIMS_MPIIO=" + directory);

    fill();
    awaitTier(tier -> tier.usedBytes() >= FILE_BYTES * 3L / 4);

    killAndRestart("adapter");
    killAndRestart(AGENT);

    stack.stack().down();
    assertThat(directory).doesNotExist();
  }

  private void fill() throws Exception {
    byte[] bytes = new byte[FILE_BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    Path file = Files.write(folder.resolve("file"), bytes);
    Process fill =
        new ProcessBuilder(FILL.toString(), directory.toString(), file.toString())
            .inheritIO()
            .start();
    assertThat(fill.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(fill.exitValue()).isZero();
  }

  /** Nobody restarts the parts of a local stack but its user. */
  private void killAndRestart(String name) throws Exception {
    ProcessId.read(stack.home().pid(name)).orElseThrow().kill();
    long endedMillis = System.currentTimeMillis();

    stack.up(given);

    awaitTier(tier -> tier.sampledMillis() != null && tier.sampledMillis() > endedMillis);
  }

  private PartStatus part(String name) throws Exception {
    return stack.stack().status().stream()
        .filter(status -> status.part().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void awaitTier(Predicate<TierStatus> condition) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> stack.clients().tier().get(),
            (TierReply reply) -> reply.tier() != null && condition.test(reply.tier()));
  }
}
