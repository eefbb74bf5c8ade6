package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.law.LawType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyFileTest {

  private static final String DOCUMENT =
      """
      # Mine.
      kind: MemoryTier
      spec:
        mode: Enforce
        law: {type: Feedback, threshold: 0.95}
      """;

  @TempDir Path folder;

  @Test
  void setsTheBudgetAndChangesNothingElse() throws Exception {
    String first = PolicyFile.withBudget(DOCUMENT, 1_000);

    assertThat(first).isEqualTo(DOCUMENT.replace("spec:\n", "spec:\n  memory: {total: 1000}\n"));
    assertThat(PolicyFile.withBudget(first, 2_000)).isEqualTo(first.replace("1000", "2000"));
  }

  @Test
  void rejectsADocumentThatItCannotChangeSafely() {
    assertThatThrownBy(() -> PolicyFile.withBudget(DOCUMENT + "  memory:\n    total: 8Gi\n", 1_000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spec.memory");
    assertThatThrownBy(() -> PolicyFile.withBudget("kind: MemoryTier\n", 1_000))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> PolicyFile.withBudget(DOCUMENT + "---\n" + DOCUMENT, 1_000))
        .isInstanceOf(IOException.class);
  }

  @Test
  void setsTheLawAndItsThreshold() throws Exception {
    String document = DOCUMENT.replace("0.95}", "0.95, gain: 0.5} # Mine, too.");

    assertThat(PolicyFile.withLaw(document, LawType.Feedback, 0.98))
        .isEqualTo(DOCUMENT.replace("0.95", "0.98"));
    assertThatThrownBy(
            () -> PolicyFile.withLaw("spec:\n  law:\n    gain: 1\n", LawType.Feedback, 0.98))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("spec.law");
  }

  @Test
  void leavesNoTemporaryFile() throws Exception {
    Path file = Files.writeString(folder.resolve("alluxio.yaml"), DOCUMENT);

    PolicyFile.setBudget(file, 1_000);

    assertThat(file).content().contains("total: 1000");
    assertThat(folder).isDirectoryContaining(found -> found.equals(file));
    assertThat(folder.toFile().list()).hasSize(1);
  }
}
