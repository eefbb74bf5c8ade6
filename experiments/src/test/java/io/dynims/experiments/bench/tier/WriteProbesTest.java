package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteProbesTest {

  @TempDir private Path folder;

  @Test
  void aUsualFileSystemDoesThemAll() throws Exception {
    assertThat(new WriteProbes(folder.resolve("file")).run())
        .hasSize(3)
        .allSatisfy((tried, outcome) -> assertThat(outcome).as(tried).isEqualTo("done"));
  }
}
