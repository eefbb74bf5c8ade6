package io.dynims.adapter;

import static io.dynims.adapter.AlluxioFixture.MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.AckStatus;
import io.dynims.testing.AlluxioCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock Alluxio workers that are set up in other ways than one tier of one directory. */
class WorkerSetupIT {

  private static final String TIERS = "alluxio.worker.tieredstore.";
  private static final String ALIGN = "alluxio.worker.management.tier.align.";
  private static final String SOFT_LIMIT = "alluxio.worker.reviewer.probabilistic.softlimit.bytes";

  @TempDir private Path temporary;
  private AlluxioFixture alluxio;

  @AfterEach
  void stop() throws Exception {
    if (alluxio != null) {
      alluxio.close();
    }
  }

  @Test
  void ofATopTierOfTwoDirectoriesTheOtherOneIsReported() throws Exception {
    Path first = temporary.resolve("a");
    Path second = temporary.resolve("b");
    start(
        Map.of(
            TIERS + "level0.dirs.path", first + "," + second,
            TIERS + "level0.dirs.quota", MAX + "," + MAX,
            TIERS + "level0.dirs.mediumtype", "MEM,MEM"));

    // The worker puts empty blocks into the first directory until that has less free space.
    try (AdapterProcess adapter = launch(second)) {
      awaitMessage(adapter, first.resolve("alluxioworker") + ", but worker.directory is " + second);
      assertThat(adapter.log("ERROR")).hasSize(1);
    }
    try (AdapterProcess adapter = launch(first)) {
      await().until(() -> adapter.get().tier() != null);
      assertThat(adapter.get().tier().capacityBytes()).isEqualTo(2 * MAX);
      await()
          .untilAsserted(
              () -> {
                var unused = adapter.resize(MAX + MAX / 2);
                assertThat(adapter.resize(MAX + MAX / 4).message()).contains("in " + second);
              });
      assertThat(adapter.ready()).isEqualTo(503);
      assertThat(adapter.log("ERROR"))
          .singleElement()
          .asString()
          .contains("a top tier of several directories cannot be resized");
    }
  }

  @Test
  void aFullTopTierAboveAnotherIsNoWrongFolder() throws Exception {
    start(twoTiers("ProbabilisticBufferReviewer"));
    Path folder = alluxio.cluster.tierDirectory().getParent();
    List<String> java = List.of("env", "JAVA_TOOL_OPTIONS=-D" + SOFT_LIMIT + "=32MB");
    try (AdapterProcess adapter = launch(java, temporary.resolve("elsewhere"))) {
      awaitMessage(adapter, "but worker.directory is");
    }
    alluxio.awaitWritable();
    alluxio.fill();
    alluxio.fill();
    try (AdapterProcess adapter = launch(java, folder)) {
      await().until(() -> adapter.ready() == 200);
      assertThat(adapter.log("ERROR")).isEmpty();
      assertThat(adapter.log("WARN")).anyMatch(line -> line.contains("the top tier is full"));
      assertThat(adapter.resize(MAX / 2).tier().unevictableBytes()).isEqualTo(MAX / 2);
    }
  }

  @Test
  void aFullTopTierAboveAnotherIsResizedIfTheWorkerDoesNotPassItOver() throws Exception {
    start(twoTiers("AcceptingReviewer"));
    alluxio.awaitWritable();
    alluxio.fill();
    alluxio.fill();
    try (AdapterProcess adapter = launch(alluxio.cluster.tierDirectory().getParent())) {
      await().until(() -> adapter.resize(MAX / 2).status() == AckStatus.Applied);
    }
  }

  @Test
  void whatTheWorkerKeepsForMovingBlocksIsNoPartOfTheTier() throws Exception {
    Map<String, Object> more = new HashMap<>(twoTiers("AcceptingReviewer"));
    more.put(ALIGN + "enabled", true);
    more.put(ALIGN + "reserved.bytes", MAX / 2 + "B");
    start(more);
    alluxio.awaitWritable();
    try (AdapterProcess adapter = launch(alluxio.cluster.tierDirectory().getParent())) {
      await().until(() -> adapter.ready() == 200);
      assertThat(adapter.get().tier().maxBytes()).isEqualTo(MAX / 2);
      alluxio.files.write((int) (MAX / 2 / AlluxioFixture.FILE_BYTES), AlluxioFixture.FILE_BYTES);
      await().until(() -> adapter.resize(MAX / 4).status() == AckStatus.Applied);
      assertThat(alluxio.usedBytes()).isBetween(MAX / 8, MAX / 4);
    }
  }

  @Test
  void aWorkerThatDoesNotSayWhatItKeepsIsResizedAllTheSame() throws Exception {
    start(twoTiers("AcceptingReviewer"));
    alluxio.awaitWritable();
    Path folder = alluxio.cluster.tierDirectory().getParent();
    try (AdapterProcess adapter = launch(folder, "--worker.metrics.url=")) {
      await().until(() -> adapter.resize(MAX / 2).status() == AckStatus.Applied);
      assertThat(adapter.log("WARN"))
          .anyMatch(line -> line.contains("worker.metrics.url is empty"));
    }
  }

  private Map<String, ?> twoTiers(String reviewer) {
    return Map.of(
        TIERS + "levels",
        2,
        TIERS + "level1.alias",
        "SSD",
        TIERS + "level1.dirs.path",
        temporary.resolve("ssd"),
        TIERS + "level1.dirs.quota",
        4 * MAX,
        TIERS + "level1.dirs.mediumtype",
        "SSD",
        ALIGN + "enabled",
        false,
        "alluxio.worker.management.tier.promote.enabled",
        false,
        "alluxio.worker.reviewer.class",
        "alluxio.worker.block.reviewer." + reviewer,
        SOFT_LIMIT,
        "32MB",
        "alluxio.worker.reviewer.probabilistic.hardlimit.bytes",
        "16MB");
  }

  @Test
  void aWorkerUnderANameThatOnlyTheMasterKnowsIsFoundByTheNodesNameOrItsSizeGiven()
      throws Exception {
    String name = "only-the-master-knows-me";
    start(Map.of("alluxio.worker.hostname", name));
    Path folder = alluxio.cluster.tierDirectory().getParent();

    try (AdapterProcess adapter = launch(folder, "--node.name=node-1")) {
      awaitMessage(adapter, "such as " + name, "tier.max", "alluxio.worker.hostname");
    }
    try (AdapterProcess adapter = launch(folder, "--node.name=" + name)) {
      await().until(() -> adapter.ready() == 200);
      assertThat(adapter.get().tier().maxBytes()).isEqualTo(MAX);
    }
    try (AdapterProcess adapter = launch(folder, "--node.name=node-1", "--tier.max=" + MAX)) {
      assertThat(adapter.resize(MAX / 2).tier().capacityBytes()).isEqualTo(MAX / 2);
    }
  }

  /** Other messages may come before: the master is in safe mode when it has just started. */
  private static void awaitMessage(AdapterProcess adapter, String... parts) {
    await().untilAsserted(() -> assertThat(adapter.get().message()).contains(parts));
  }

  private void start(Map<String, ?> more) throws Exception {
    alluxio = AlluxioFixture.start(AlluxioCluster.start(MAX, more));
  }

  private AdapterProcess launch(Path tier, String... more) throws Exception {
    return launch(List.of(), tier, more);
  }

  private AdapterProcess launch(List<String> launcher, Path tier, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(alluxio.adapterArguments());
    arguments.add("--tier.directory=" + tier.resolve("alluxioworker"));
    arguments.addAll(List.of(more));
    return AdapterProcess.launch(launcher, arguments, temporary);
  }
}
