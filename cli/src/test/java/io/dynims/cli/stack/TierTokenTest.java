package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.runtime.auth.TokenFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierTokenTest {

  @TempDir private Path folder;

  @Test
  void onlyItsOwnerReadsIt() throws Exception {
    Path file = folder.resolve("tier-token");

    TierToken.create(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (TokenFile tokens = TokenFile.open(file)) {
      assertThat(tokens.tokens()).hasSize(1);
    }
    assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
  }

  @Test
  void aTokenIsKept() throws Exception {
    Path file = folder.resolve("tier-token");
    TierToken.create(file);
    String token = Files.readString(file);

    TierToken.create(file);

    assertThat(Files.readString(file)).isEqualTo(token);
  }
}
