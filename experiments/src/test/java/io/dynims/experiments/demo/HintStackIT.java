package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that takes half of a full Alluxio tier's memory in one step: with a hint and without. */
class HintStackIT {

  private static final long MIB = 1L << 20;
  private static final long SEED = 20_261_125;
  private static final long POLL_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 180_000;
  private static final long LEAD_MILLIS = 8_000;
  private static final long PLATEAU_MILLIS = 3_000;
  private static final long BYTES_PER_SECOND = 16 * MIB;

  /** More than this above r0 is no longer noise, as in the simulator and the demo. */
  private static final double MARGIN = 0.01;

  /** What the job's process takes besides. */
  private static final long ROUNDED_UP = 24 * MIB;

  @TempDir private Path folder;
  private final StackBurst group = new StackBurst();
  private BenchStack stack;
  private StackSettings settings;

  @BeforeEach
  void up() throws Exception {
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    stack = new BenchStack(user, Map.of(), false, System.out);
    stack.up(group.settings("alluxio"));
    settings = stack.settings();
  }

  @AfterEach
  void down() throws Exception {
    if (stack != null) {
      stack.close();
    }
    group.close();
  }

  @Test
  void aStepThatIsAnnouncedNeverPassesTheThreshold() throws Exception {
    try (DemoNode node = new DemoNode(settings.nodeGroup());
        LoopRecorder loop =
            new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName());
        MemorySampler memory = new MemorySampler(Clock.systemUTC(), node);
        AlluxioFiles alluxio =
            new AlluxioFiles("127.0.0.1", settings.port("alluxio.master.port"))) {
      Sizing wanted = budget(loop, node);
      DataSet files = new DataSet(alluxio.files(), SEED, wanted.dataSetBytes());
      files.ensure(bytes -> {});
      try (Readers readers = new Readers(files, SEED)) {
        fill(loop, readers, wanted);
        Sizing sizing = budget(loop, node);
        fill(loop, readers, sizing);
        long limitBytes = Math.round((settings.threshold() + MARGIN) * sizing.budgetBytes());
        long stepBytes = loop.lastAck().orElseThrow().capacityBytes() / 2 / MIB * MIB;

        Step without = step(0, stepBytes, limitBytes, node, memory, loop);
        fill(loop, readers, sizing);
        Step with = step(stepBytes + ROUNDED_UP, stepBytes, limitBytes, node, memory, loop);

        System.out.printf(
            "a step of %d MiB, r0 %.2f of %d MiB: without a hint %s, with a hint %s%n",
            stepBytes / MIB, settings.threshold(), sizing.budgetBytes() / MIB, without, with);
        // How far the step without a hint goes above depends on how fast the machine is.
        assertThat(group.isAlone() ? with.highest() : with.ownHighest())
            .as("with a hint: %s", with)
            .isLessThanOrEqualTo(settings.threshold() + MARGIN);
        assertThat(with.heldBytes()).as("the job got its memory").isEqualTo(stepBytes);
        assertThat(readers.corrupt()).isZero();
        assertThat(loop.targets(0, Long.MAX_VALUE))
            .anyMatch(target -> target.hintedBytes() != null && target.reason().contains("hints"));
        await("a full tier again", () -> loop.isTierFull(sizing.dataSetBytes()));
      }
    }
  }

  /**
   * What the node saw of a step.
   *
   * @param samplesAbove samples above the threshold while the job held its memory
   * @param highest the highest use of M
   * @param ownHighest the same, but for what others have grown by meanwhile
   * @param heldBytes what the job held
   */
  private record Step(long samplesAbove, double highest, double ownHighest, long heldBytes) {}

  /** Runs a job that takes its memory some seconds after its start. */
  private Step step(
      long hintedBytes,
      long stepBytes,
      long limitBytes,
      DemoNode node,
      MemorySampler memory,
      LoopRecorder loop)
      throws Exception {
    LoadProfile profile =
        LoadProfile.startingAt(0)
            .then(LEAD_MILLIS, 0)
            .then(0, stepBytes)
            .then(PLATEAU_MILLIS, stepBytes)
            .then(0, 0);
    try (LoadProcess job = new LoadProcess(profile, node::place)) {
      await("the start of the job", () -> !job.reports().isEmpty());
      long startedMillis = System.currentTimeMillis();
      if (hintedBytes > 0) {
        give(hintedBytes);
      }
      await("the end of the job", () -> !job.isAlive());
      long fromMillis = startedMillis + LEAD_MILLIS / 2;
      long samplesAbove =
          memory.trace().between(fromMillis, job.fallingMillis()).stream()
              .filter(sample -> sample.usedBytes() > limitBytes)
              .count();
      List<Ack> acks = loop.acks(startedMillis, Long.MAX_VALUE);
      List<LoadProcess.Report> reports = job.reports();
      OthersMemory others =
          OthersMemory.of(
              memory.trace(),
              millis ->
                  Measurement.tierBytes(acks, millis) + LoadProcess.heldBytes(reports, millis),
              fromMillis,
              job.fallingMillis());
      double most = memory.trace().maxUsedBytes(fromMillis, job.fallingMillis());
      double total = limitBytes / (settings.threshold() + MARGIN);
      long held = reports.stream().mapToLong(LoadProcess.Report::bytes).max().orElse(0);
      return new Step(samplesAbove, most / total, others.maxUsedBytes() / total, held);
    }
  }

  private String token() throws Exception {
    try (TokenFile file = TokenFile.open(stack.home().tierToken())) {
      return file.tokens().get(0);
    }
  }

  private void give(long bytes) throws Exception {
    String hint =
        "{\"node\":\"%s\",\"owner\":\"job\",\"bytes\":%d}".formatted(settings.nodeName(), bytes);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(settings.controllerUrl() + "/api/v1/hints"))
                    .header("Content-Type", "application/json")
                    .header("Authorization", TokenFile.authorization(token()))
                    .POST(HttpRequest.BodyPublishers.ofString(hint))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    TierStatus told = stack.clients().tier().get().tier();
    assertThat(told.hints()).extracting(each -> each.bytes()).containsExactly(bytes);
  }

  /** A budget that a full tier uses up to the threshold. */
  private Sizing budget(LoopRecorder loop, DemoNode node) throws Exception {
    return new NodeBudget(
            stack.clients().tier(),
            stack.home().policies().resolve(settings.store().policyFile()),
            loop,
            settings.tierMaxBytes(),
            node)
        .set(settings.threshold());
  }

  private void fill(LoopRecorder loop, Readers readers, Sizing sizing) throws Exception {
    readers.pace(Readers.UNLIMITED);
    await("a full tier", () -> loop.isTierFull(sizing.dataSetBytes()));
    readers.pace(BYTES_PER_SECOND);
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    assertThat(Await.until(PATIENCE_MILLIS, POLL_MILLIS, condition)).as(what).isTrue();
  }
}
