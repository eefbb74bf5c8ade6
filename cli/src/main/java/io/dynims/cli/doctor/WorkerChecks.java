package io.dynims.cli.doctor;

import io.dynims.cli.doctor.DoctorOptions.Program;
import io.dynims.cli.stack.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Whether an Alluxio worker and its master have the settings that an elastic tier needs. */
final class WorkerChecks {

  /**
   * Blocks that are being read cannot go: with fewer blocks than this, that is much of the tier.
   */
  private static final int LEAST_BLOCKS = 16;

  private static final int LEAST_THREADS = 16;
  private static final int MOST_HEARTBEAT_MILLIS = 200;
  private static final String BLOCK_SIZE = "alluxio.user.block.size.bytes.default";
  private static final String SHORT_CIRCUIT = "alluxio.user.short.circuit.enabled";
  private static final String ANNOTATOR = "alluxio.worker.block.annotator.class";
  private static final String LEVELS = "alluxio.worker.tieredstore.levels";
  private static final String FOLDERS = "alluxio.worker.data.tmp.subdir.max";
  private static final String THREADS = "alluxio.worker.network.netty.worker.threads";
  private static final String HEARTBEAT = "alluxio.worker.block.heartbeat.interval";
  private static final String UPDATE_CHECK = "alluxio.master.update.check.enabled";

  private final Observations seen;

  WorkerChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put(
        "worker",
        () ->
            seen.worker()
                .presence(
                    worker -> Diagnosis.ok("the worker tells its settings"),
                    seen.options().restart(Program.Worker)));
    checks.put("worker-capacity", () -> seen.worker().diagnose(this::capacity));
    checks.put("worker-block-size", () -> seen.worker().diagnose(this::blockSize));
    checks.put("worker-short-circuit", () -> seen.worker().diagnose(this::shortCircuit));
    checks.put("worker-eviction", () -> seen.worker().diagnose(this::eviction));
    checks.put("worker-threads", () -> seen.worker().diagnose(this::threads));
    checks.put("worker-heartbeat", () -> seen.worker().diagnose(this::heartbeat));
    checks.put("master-update-check", () -> seen.worker().diagnose(this::updateCheck));
  }

  /** The adapter learns the worker's capacity when it connects. */
  private Diagnosis capacity(WorkerFacts worker) {
    if (!seen.adapter().isPresent() || !seen.adapter().value().tier().has("maxBytes")) {
      return Diagnosis.skipped("the adapter does not tell the tier's maximum");
    }
    long maxBytes = seen.adapter().value().tier().get("maxBytes").asLong();
    String figures =
        "the worker has %s, the adapter's maximum is %s"
            .formatted(Text.bytes(worker.capacityBytes()), Text.bytes(maxBytes));
    return worker.capacityBytes() < maxBytes
        ? Diagnosis.error(
            figures,
            "raise alluxio.worker.tieredstore.level0.dirs.quota and alluxio.worker.ramdisk.size, or"
                + " lower tier.max of the adapter")
        : Diagnosis.ok(figures);
  }

  private Diagnosis blockSize(WorkerFacts worker) {
    OptionalLong blockBytes = worker.number(BLOCK_SIZE);
    if (blockBytes.isEmpty() || worker.capacityBytes() == 0) {
      return Diagnosis.skipped("the worker does not tell its capacity and " + BLOCK_SIZE);
    }
    String figures =
        "blocks of %s in a tier of %s"
            .formatted(Text.bytes(blockBytes.getAsLong()), Text.bytes(worker.capacityBytes()));
    return worker.capacityBytes() / blockBytes.getAsLong() < LEAST_BLOCKS
        ? Diagnosis.warning(figures, "set %s=16MB; it counts for new files".formatted(BLOCK_SIZE))
        : Diagnosis.ok(figures);
  }

  private Diagnosis shortCircuit(WorkerFacts worker) {
    return worker.setting(SHORT_CIRCUIT).equals("false")
        ? Diagnosis.warning(
            SHORT_CIRCUIT + "=false: programs on the node copy blocks through the worker",
            "set " + SHORT_CIRCUIT + "=true")
        : Diagnosis.ok(SHORT_CIRCUIT + " is not off");
  }

  private Diagnosis eviction(WorkerFacts worker) {
    String annotator = worker.setting(ANNOTATOR);
    String levels = worker.setting(LEVELS);
    String what = "%s tier, %s".formatted(levels, annotator);
    if (!levels.isEmpty() && !levels.equals("1")) {
      return Diagnosis.warning(
          what + ": what leaves the top tier is moved to the next one, which takes longer",
          "set " + LEVELS + "=1");
    }
    return annotator.isEmpty() || annotator.matches(".*\\.(LRU|LRFU)Annotator")
        ? Diagnosis.ok(what)
        : Diagnosis.warning(
            what + ": not one that was tried",
            "set %s=alluxio.worker.block.annotator.LRUAnnotator".formatted(ANNOTATOR));
  }

  private Diagnosis threads(WorkerFacts worker) {
    List<String> slow = new ArrayList<>();
    OptionalLong folders = worker.number(FOLDERS);
    if (folders.isPresent() && folders.getAsLong() > 1) {
      slow.add(FOLDERS + "=1");
    }
    OptionalLong threads = worker.number(THREADS);
    if (threads.isPresent() && threads.getAsLong() < LEAST_THREADS) {
      slow.add(THREADS + "=" + LEAST_THREADS);
    }
    return slow.isEmpty()
        ? Diagnosis.ok("few folders to make, and enough event loops")
        : Diagnosis.warning(
            "resizes wait for folders to be made, or for blocks that are being sent",
            "set " + String.join(", ", slow));
  }

  private Diagnosis heartbeat(WorkerFacts worker) {
    OptionalLong millis = worker.millis(HEARTBEAT);
    if (millis.isEmpty()) {
      return Diagnosis.skipped("the worker does not tell " + HEARTBEAT);
    }
    return millis.getAsLong() > MOST_HEARTBEAT_MILLIS
        ? Diagnosis.warning(
            "the worker tells its master every %d ms which blocks it has: a block evicted and loaded"
                    .formatted(millis.getAsLong())
                + " again in between stays evicted for the master, and its readers are slow",
            "set %s=100ms".formatted(HEARTBEAT))
        : Diagnosis.ok("the master hears of blocks every %d ms".formatted(millis.getAsLong()));
  }

  private Diagnosis updateCheck(WorkerFacts worker) {
    if (!worker.masterSettings().has(UPDATE_CHECK)) {
      return Diagnosis.skipped("no --master, or it does not tell " + UPDATE_CHECK);
    }
    return worker.masterSettings().get(UPDATE_CHECK).asText().equals("true")
        ? Diagnosis.warning(
            "the master calls out to the Internet for newer versions",
            "set " + UPDATE_CHECK + "=false")
        : Diagnosis.ok("the master calls nobody");
  }
}
