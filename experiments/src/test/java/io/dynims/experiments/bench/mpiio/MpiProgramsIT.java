package io.dynims.experiments.bench.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs, which must be built. Needs FUSE. */
class MpiProgramsIT {

  private static final Path BUILT = Path.of("../mpiio-cache/target").toAbsolutePath().normalize();

  @TempDir private Path folder;

  @Test
  void nothingIsLeftWhereAnAgentDoesNotStart() throws Exception {
    Path scratch = folder.resolve("scratch");
    MpiIoOptions options = new MpiIoOptions("mpich", List.of(1), List.of(1), 1, 100_000, 0, 1);
    try (MpiPrograms programs = new MpiPrograms(BUILT, scratch, options)) {
      programs.startSlowFileSystem();

      assertThatThrownBy(() -> programs.startAgents(1, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("must be one block at least");
    }

    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(scratch.toString());
    assertThat(scratch).doesNotExist();
  }
}
