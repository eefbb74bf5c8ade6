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

  private AccessGroup group() throws Exception {
    return new AccessGroup(2, List.of("file", folder.toString()), folder.resolve("log"));
  }

  private static AccessOrder order(String file, boolean write, boolean random) {
    return new AccessOrder(file, write, random, BLOCK, COUNT, 0, 7);
  }

  private static void isDone(AccessOutcome outcome) {
    assertThat(outcome.error()).isNull();
    assertThat(outcome.micros()).hasSize(COUNT);
    assertThat(outcome.wrong()).isZero();
    assertThat(outcome.accessSeconds()).isPositive();
  }
}
