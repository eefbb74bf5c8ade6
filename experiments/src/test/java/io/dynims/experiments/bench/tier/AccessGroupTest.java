package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on a folder. */
class AccessGroupTest {

  private static final int BLOCK = 4096;
  private static final int COUNT = 32;

  @TempDir private Path folder;

  @Test
  void processesWriteAndReadFilesInAnyOrder() throws Exception {
    try (AccessGroup group = group()) {
      for (boolean random : List.of(false, true)) {
        assertThat(group.run(List.of(order("a", true, random), order("b", true, random))))
            .allSatisfy(AccessGroupTest::isDone);
        assertThat(group.run(List.of(order("b", false, random), order("a", false, random))))
            .allSatisfy(AccessGroupTest::isDone);
      }
    }
    assertThat(folder.resolve("a")).hasSize((long) BLOCK * COUNT);
  }

  @Test
  void wrongBytesAreCountedAndErrorsTold() throws Exception {
    try (AccessGroup group = group()) {
      var unused = group.run(List.of(order("a", true, false), order("b", true, false)));
      byte[] bytes = Files.readAllBytes(folder.resolve("a"));
      bytes[BLOCK] ^= 1;
      Files.write(folder.resolve("a"), bytes);

      List<AccessOutcome> outcomes =
          group.run(List.of(order("a", false, true), order("missing", false, true)));

      assertThat(outcomes.get(0).wrong()).isEqualTo(1);
      assertThat(outcomes.get(0).error()).isNull();
      assertThat(outcomes.get(1).error()).startsWith("open: ").contains("missing");
      assertThat(outcomes.get(1).micros()).isEmpty();
      // It goes on.
      assertThat(group.run(List.of(order("b", false, false), order("b", false, false))))
          .allSatisfy(AccessGroupTest::isDone);
    }
  }

  @Test
  void passesAreWholeAndWatchedOperationsAreExplained() throws Exception {
    try (AccessGroup group = group()) {
      AccessOrder write = order("a", true, false);
      var unused = group.run(List.of(write, order("b", true, false)));
      AccessOrder read = order("a", false, true);

      List<AccessOutcome> outcomes =
          group.run(List.of(read.timed(20), read.watched(0, BLOCK).of("b", 1)));

      // However fast the machine is.
      assertThat(outcomes.get(0).micros().length % COUNT).isZero();
      assertThat(outcomes.get(0).micros().length).isPositive();
      assertThat(outcomes.get(0).slowest()).isEmpty();
      assertThat(outcomes.get(1).micros()).hasSize(COUNT);
      assertThat(outcomes.get(1).slowest()).hasSize(COUNT);
      assertThat(outcomes.get(1).slowest())
          .filteredOn(SlowAccess::otherBlock)
          .hasSizeGreaterThanOrEqualTo(COUNT - 1);
    }
  }

  @Test
  void filesAreReadIntoJavasHeapAsWell() throws Exception {
    List<AccessGroup.Worker> workers =
        List.of(new AccessGroup.Worker(List.of(), List.of("heap", folder.toString())));
    try (AccessGroup group =
        new AccessGroup(1, workers, folder.resolve("log"), folder.resolve("no-counter"))) {
      for (boolean write : List.of(true, false)) {
        assertThat(group.run(List.of(order("a", write, true)))).allSatisfy(AccessGroupTest::isDone);
      }
    }
  }

  private AccessGroup group() throws Exception {
    return new AccessGroup(
        2,
        List.of(new AccessGroup.Worker(List.of(), List.of("file", folder.toString()))),
        folder.resolve("log"),
        folder.resolve("no-counter"));
  }

  private static AccessOrder order(String file, boolean write, boolean random) {
    return new AccessOrder(file, write, random, BLOCK, COUNT, 0, true, true, 0, 7);
  }

  private static void isDone(AccessOutcome outcome) {
    assertThat(outcome.error()).isNull();
    assertThat(outcome.micros()).hasSize(COUNT);
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.accessSeconds()).isPositive();
  }
}
