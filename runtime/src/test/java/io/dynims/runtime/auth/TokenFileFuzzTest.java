package io.dynims.runtime.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileFuzzTest {

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void nameTheFile() {
    path = folder.resolve("t");
  }

  @FuzzTest
  void aFileIsRefusedWithoutItsContentOrGivesTokensThatAreAccepted(byte[] content)
      throws Exception {
    check(content);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "aFileIsRefusedWithoutItsContentOrGivesTokensThatAreAccepted", this::check);
  }

  private Outcome check(byte[] content) throws IOException {
    Files.write(path, content);
    try (TokenFile file = TokenFile.open(path)) {
      assertThat(file.tokens()).hasSizeBetween(1, 16);
      for (String token : file.tokens()) {
        assertThat(token).matches("[!-~]{16,512}");
        assertThat(file.accepts(TokenFile.authorization(token))).isTrue();
        assertThat(file.accepts(TokenFile.authorization(token + "!"))).isFalse();
        assertThat(file.accepts(token)).isFalse();
      }
      assertThat(file.accepts("Bearer ")).isFalse();
      return Outcome.Accepted;
    } catch (IOException e) {
      String told = e.getMessage().replace(path.toString(), "");
      new String(content, UTF_8)
          .lines()
          .map(String::strip)
          .filter(line -> line.length() >= 16)
          .forEach(line -> assertThat(told).doesNotContain(line));
      return Outcome.Refused;
    }
  }
}
