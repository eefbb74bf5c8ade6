package io.dynims.cli.doctor;

import static io.dynims.cli.doctor.Diagnosis.Verdict.error;
import static io.dynims.cli.doctor.Diagnosis.Verdict.ok;
import static io.dynims.cli.doctor.Diagnosis.Verdict.skipped;
import static io.dynims.cli.doctor.Diagnosis.Verdict.warning;
import static io.dynims.cli.doctor.SampleNode.GIBIBYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.doctor.Diagnosis.Verdict;
import io.dynims.local.FreePorts;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake is found by the check that is there for it, and by no other. */
class DoctorTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path folder;

  /** Makes a healthy node an unhealthy one. */
  private interface Mistake {
    void make(SampleNode node) throws Exception;
  }

  /**
   * A mistake, the check that finds it, and what it tells.
   *
   * @param remedy a part of what mends it
   */
  private record Planted(
      String check, Verdict verdict, String seen, String remedy, Mistake mistake) {
    @Override
    public String toString() {
      return check + ": " + seen;
    }
  }

  static List<Planted> mistakes() {
    List<Planted> all = new ArrayList<>();
    all.addAll(ofTheNode());
    all.addAll(ofTheWorker());
    all.addAll(ofTheAdapter());
    all.addAll(ofTheController());
    return all;
  }

  private static List<Planted> ofTheNode() {
    return List.of(
        new Planted(
            "node-memory",
            error,
            "the tier's maximum is 1.0 GiB, the node's memory 512.0 MiB",
            "lower spec.capacity.max",
            node -> {
              node.memoryBytes = GIBIBYTE / 2;
              node.adapterMemoryBytes = GIBIBYTE / 2;
            }),
        new Planted(
            "node-memory",
            error,
            "the tier's maximum is 1.0 GiB, the node's memory 512.0 MiB",
            "lower spec.capacity.max",
            node -> {
              node.memoryBytes = GIBIBYTE / 2;
              node.adapterMemoryBytes = GIBIBYTE / 2;
              node.budgetBytes = 118 * GIBIBYTE;
            }),
        new Planted(
            "node-memory-agrees",
            warning,
            "4.0 GiB as the adapter tells, 8.0 GiB as collectd does",
            "memory.total",
            node -> {
              node.adapterMemoryBytes = 4 * GIBIBYTE;
              node.budgetBytes = 118 * GIBIBYTE;
            }),
        new Planted(
            "node-memory",
            warning,
            "are to stay free",
            "lower spec.capacity.max",
            node -> {
              node.memoryBytes = GIBIBYTE / 100 * 102;
              node.adapterMemoryBytes = node.memoryBytes;
            }),
        new Planted(
            "node-memory-agrees",
            warning,
            "4.0 GiB as the adapter tells, 8.0 GiB as collectd does",
            "memory.total",
            node -> node.adapterMemoryBytes = 4 * GIBIBYTE),
        new Planted(
            "tier-in-memory",
            error,
            "is on ext4",
            "mount -t tmpfs",
            node -> node.fileSystem = "ext4"),
        new Planted(
            "tier-size",
            error,
            "the tier's maximum is",
            "mount -o remount,size=",
            node -> {
              node.maxBytes = Files.getFileStore(node.tierFolder).getTotalSpace() + GIBIBYTE;
              node.workerBytes = node.maxBytes;
              node.memoryBytes = 4 * node.maxBytes;
              node.adapterMemoryBytes = node.memoryBytes;
            }),
        new Planted(
            "tier-alone",
            warning,
            "files outside of",
            "du -xh",
            node -> {
              long bytes = Files.getFileStore(node.tierFolder).getTotalSpace() / 50;
              Path other = node.tierFolder.resolveSibling("other");
              try (RandomAccessFile file = new RandomAccessFile(other.toFile(), "rw")) {
                file.setLength(bytes); // Without blocks.
              }
            }),
        new Planted(
            "tier-swap",
            warning,
            "may swap up to 2.0 GiB",
            "swapoff -a",
            node -> node.swapBytes = 2 * GIBIBYTE),
        new Planted(
            "tier-huge-pages",
            warning,
            "has no huge pages",
            "huge=within_size",
            node -> node.mountOptions = "rw,size=1048576k"));
  }

  private static List<Planted> ofTheWorker() {
    return List.of(
        new Planted(
            "worker-capacity",
            error,
            "the worker has 512.0 MiB, the adapter's maximum is 1.0 GiB",
            "level0.dirs.quota",
            node -> node.workerBytes = GIBIBYTE / 2),
        setting(
            "worker-block-size",
            "blocks of 256.0 MiB in a tier of 1.0 GiB",
            "alluxio.user.block.size.bytes.default",
            "256MB"),
        setting(
            "worker-short-circuit",
            "copy blocks through the worker",
            "alluxio.user.short.circuit.enabled",
            "false"),
        setting("worker-eviction", "2 tier", "alluxio.worker.tieredstore.levels", "2"),
        setting(
            "worker-eviction",
            "not one that was tried",
            "alluxio.worker.block.annotator.class",
            "org.example.RandomAnnotator"),
        setting(
            "worker-threads", "folders to be made", "alluxio.worker.data.tmp.subdir.max", "1024"),
        setting(
            "worker-threads",
            "blocks that are being sent",
            "alluxio.worker.network.netty.worker.threads",
            "2"),
        setting(
            "worker-heartbeat", "every 1000 ms", "alluxio.worker.block.heartbeat.interval", "1sec"),
        new Planted(
            "master-update-check",
            warning,
            "calls out to the Internet",
            "alluxio.master.update.check.enabled=false",
            node -> node.master.put("alluxio.master.update.check.enabled", "true")));
  }

  private static Planted setting(String check, String seen, String key, String value) {
    return new Planted(check, warning, seen, key, node -> node.worker.put(key, value));
  }

  private static List<Planted> ofTheAdapter() {
    return List.of(
        new Planted(
            "adapter",
            error,
            "nothing listens at http://127.0.0.1:",
            "systemctl restart dynims-alluxio-adapter",
            node -> node.adapter = nobody()),
        new Planted(
            "store",
            error,
            "the store was told to be away",
            "start the store",
            node -> node.isStoreAway = true),
        new Planted(
            "adapter-node",
            error,
            "the adapter is that of node-2, not of node-1",
            "node.name",
            node -> node.adapterNode = "node-2"),
        new Planted(
            "adapter-alone",
            warning,
            "set the store's limit 3 times",
            "stop the second adapter",
            node -> node.foreignChanges = 3),
        new Planted(
            "lease",
            error,
            "no controller holds the lease",
            "let a policy name this node",
            node -> node.isLeased = false),
        new Planted(
            "clock-of-samples",
            error,
            "ahead of this machine's clock",
            "synchronize the clocks",
            node -> {
              node.behindMillis = 60_000;
              node.controllerAheadMillis = -60_000;
            }),
        new Planted(
            "token-file",
            error,
            "every user of this machine can read",
            "chmod 600",
            node ->
                Files.setPosixFilePermissions(
                    node.token, PosixFilePermissions.fromString("rw-r--r--"))),
        new Planted(
            "token-file", error, "cannot use", "chmod 600", node -> Files.delete(node.token)),
        new Planted(
            "token-accepted",
            error,
            "the adapter refuses the token",
            "http.token.file",
            node -> node.otherToken = "a-token-of-some-other-node"),
        new Planted(
            "token-asked-for",
            warning,
            "can resize the tier",
            "http.token.file",
            node -> node.isTokenAskedFor = false));
  }

  private static List<Planted> ofTheController() {
    return List.of(
        new Planted(
            "controller",
            error,
            "nothing listens at http://127.0.0.1:",
            "start it",
            node -> node.controller = nobody()),
        new Planted(
            "controller",
            error,
            "answers HTTP 401",
            "--controller-token-file",
            node -> node.tiersStatus = 401),
        new Planted(
            "controller-ready",
            error,
            "HTTP 503: Kafka is away",
            "mend what it lacks",
            node -> node.readiness = 503),
        new Planted(
            "policies",
            error,
            "tier.yaml 1 spec.law.gain: '3' is above 2",
            "correct these documents",
            node ->
                node.errors
                    .addObject()
                    .put("file", "tier.yaml")
                    .put("document", "1")
                    .put("field", "spec.law.gain")
                    .put("reason", "'3' is above 2")),
        new Planted(
            "policy-warnings",
            warning,
            "node-1/memory: spec.capacity.max is too much",
            "change spec.capacity",
            node ->
                node.warnings
                    .addObject()
                    .put("node", "node-1")
                    .put("tier", "memory")
                    .put("reason", "spec.capacity.max is too much")),
        new Planted(
            "tier-known",
            error,
            "no policy names node-1 with memory",
            "spec.nodes",
            node -> node.tiers.removeAll()),
        new Planted(
            "samples",
            error,
            "the last sample is 60.0 s old",
            "systemctl restart dynims-collectd",
            node -> node.sampleAgeMillis = 60_000),
        new Planted(
            "samples",
            error,
            "the guard on the node decides",
            "systemctl restart dynims-collectd",
            node -> {
              node.isLeased = false;
              node.tier.put("state", "Guarded");
            }),
        new Planted(
            "pushes",
            error,
            "HTTP 401",
            "push.token.file",
            node -> node.tier.put("state", "Unreachable").put("stateReason", "HTTP 401")),
        new Planted(
            "clock-of-controller",
            error,
            "behind this machine's clock: samples count as stale",
            "synchronize the clocks",
            node -> node.controllerAheadMillis = -90_000),
        new Planted(
            "clock-of-controller",
            warning,
            "ahead of this machine's clock",
            "synchronize the clocks",
            node -> {
              node.policy.put("staleAfterMillis", 3_600_000);
              node.controllerAheadMillis = 90_000;
            }),
        new Planted(
            "versions",
            warning,
            "controller=0.0.1",
            "upgrade all of them",
            node -> node.controllerVersion = "0.0.1"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsFoundByItsCheckAndByNoOther(Planted planted) throws Exception {
    try (SampleNode node = new SampleNode(folder)) {
      planted.mistake.make(node);
      List<Diagnosis> found = findings(node.examine(LONG));

      assertThat(found).as("findings").hasSize(1);
      assertThat(found.get(0).name()).isEqualTo(planted.check);
      assertThat(found.get(0).verdict()).isEqualTo(planted.verdict);
      assertThat(found.get(0).seen()).contains(planted.seen);
      assertThat(found.get(0).remedy()).contains(planted.remedy);
    }
  }

  @Test
  void aHealthyNodeHasNoFindingsAndOnlyWhatNobodyNamedIsSkipped() throws Exception {
    try (SampleNode node = new SampleNode(folder)) {
      List<Diagnosis> all = node.examine(LONG);

      assertThat(findings(all)).isEmpty();
      assertThat(all.stream().filter(each -> each.verdict() == skipped))
          .allMatch(each -> each.seen().equals("no --bootstrap"))
          .hasSize(8);
      assertThat(all.stream().filter(each -> each.verdict() == ok)).hasSizeGreaterThan(25);
      assertThat(all).allMatch(each -> each.remedy().isEmpty());
      assertThat(all.stream().map(Diagnosis::name)).doesNotHaveDuplicates();
    }
  }

  @Test
  void withoutItsPolicyANodeWithoutALeaseIsNoError() throws Exception {
    try (SampleNode node = new SampleNode(folder)) {
      node.isLeased = false;
      node.isControllerNamed = false;
      List<Diagnosis> found = findings(node.examine(LONG));

      assertThat(found).extracting(Diagnosis::name).containsExactly("lease");
      assertThat(found.get(0).verdict()).isEqualTo(warning);
      assertThat(found.get(0).remedy()).contains("--controller");
    }
  }

  @Test
  void whatIsMountedBelowTheTiersFileSystemIsNoneOfIt() throws Exception {
    try (SampleNode node = new SampleNode(folder)) {
      node.nestedMount = Files.createDirectory(node.tierFolder.resolveSibling("nested"));
      long bytes = Files.getFileStore(node.tierFolder).getTotalSpace() / 50;
      Path file = node.nestedMount.resolve("other");
      try (RandomAccessFile other = new RandomAccessFile(file.toFile(), "rw")) {
        other.setLength(bytes); // Without blocks.
      }

      assertThat(findings(node.examine(LONG))).isEmpty();
    }
  }

  @Test
  void examiningChangesNothing() throws Exception {
    try (SampleNode node = new SampleNode(folder)) {
      node.isTokenAskedFor = false;
      node.examine(LONG);

      assertThat(node.status().capacityBytes()).isEqualTo(GIBIBYTE);
      assertThat(node.status().leaseHeld()).isTrue();
    }
  }

  @Test
  void whatHangsIsAFindingAndHoldsUpNoOtherCheck() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SampleNode node = new SampleNode(folder)) {
      node.adapter = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      node.controller = node.adapter;
      List<Diagnosis> found = findings(node.examine(SHORT));

      assertThat(found.stream().map(Diagnosis::name)).contains("adapter", "controller");
      assertThat(found)
          .filteredOn(each -> each.name().equals("adapter"))
          .allMatch(each -> each.seen().matches(".* does not answer (completely )?within .*"));
    }
  }

  @Test
  void aDiskThatIsNearlyFullIsFound() {
    Map<Long, Verdict> expected = Map.of(1L << 20, error, 64L << 20, warning);
    expected.forEach(
        (freeBytes, verdict) -> {
          NodeFacts machine =
              new NodeFacts(GIBIBYTE, 0, Optional.empty(), OptionalLong.of(freeBytes));
          List<Diagnosis> found = findings(Doctor.run(seen(machine), each -> {}));

          assertThat(found).extracting(Diagnosis::name).containsExactly("state-directory");
          assertThat(found.get(0).verdict()).isEqualTo(verdict);
        });
  }

  @Test
  void textsOfOthersCannotControlTheTerminal() {
    Diagnosis diagnosis = Diagnosis.error("a\u001b[2Jb\nc", "d").of("check");

    assertThat(diagnosis.lines().lines()).hasSize(2);
    assertThat(diagnosis.lines()).contains("a [2Jb c").doesNotContain("\u001b");
  }

  private Observations seen(NodeFacts machine) {
    DoctorTargets targets =
        new DoctorTargets(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(folder));
    return new Observations(
        new DoctorOptions(targets, false, folder, folder, Clock.systemUTC(), SHORT),
        Observed.of(machine),
        Observed.notAsked("no --tier-dir"),
        Observed.notAsked("no --worker"),
        Observed.notAsked("no --adapter"),
        Observed.notAsked("no --controller"),
        Observed.notAsked("no --bootstrap"));
  }

  private static URI nobody() throws Exception {
    return URI.create("http://127.0.0.1:" + FreePorts.next());
  }

  private static List<Diagnosis> findings(List<Diagnosis> all) {
    return all.stream()
        .filter(each -> each.verdict() == warning || each.verdict() == error)
        .toList();
  }
}
