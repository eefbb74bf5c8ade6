package io.dynims.runtime.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {

  private static final String OLD = "old-token-0123456789";
  private static final String NEW = "new-token-0123456789";

  @TempDir private Path folder;

  @Test
  void acceptsEachTokenAndNothingElse() throws Exception {
    try (TokenFile tokens = TokenFile.open(file("# comment\n" + NEW + "\n\n" + OLD + "\n"))) {
      assertThat(tokens.tokens()).containsExactly(NEW, OLD);
      assertThat(tokens.accepts("Bearer " + NEW)).isTrue();
      assertThat(tokens.accepts("bearer  " + OLD)).isTrue();
      assertThat(tokens.accepts(TokenFile.authorization(OLD))).isTrue();
      assertThat(tokens.accepts(null)).isFalse();
      assertThat(tokens.accepts("")).isFalse();
      assertThat(tokens.accepts("Bearer ")).isFalse();
      assertThat(tokens.accepts(NEW)).isFalse();
      assertThat(tokens.accepts("Basic " + NEW)).isFalse();
      assertThat(tokens.accepts("Bearer " + NEW + "x")).isFalse();
      assertThat(tokens.accepts("Bearer # comment")).isFalse();
    }
  }

  @Test
  void takesAChangeWithoutARestart() throws Exception {
    Path file = file(OLD);
    try (TokenFile tokens = TokenFile.open(file)) {
      Files.writeString(file, NEW + "\n" + OLD);
      await().untilAsserted(() -> assertThat(tokens.tokens()).containsExactly(NEW, OLD));
      Files.writeString(file, NEW);
      await().until(() -> !tokens.accepts("Bearer " + OLD));
      assertThat(tokens.accepts("Bearer " + NEW)).isTrue();
    }
  }

  @Test
  void keepsItsTokensWhileTheFileCannotBeUsed() throws Exception {
    Path file = file(OLD);
    try (TokenFile tokens = TokenFile.open(file)) {
      Files.delete(file);
      tokens.refresh();
      assertThat(tokens.accepts("Bearer " + OLD)).isTrue();
      Files.writeString(file, NEW);
      await().until(() -> tokens.accepts("Bearer " + NEW));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n# only a comment\n", "too-short", "with a space in the middle"})
  void namesAFileWithoutUsableTokensButNotItsContent(String content) throws Exception {
    Path file = file(content);

    assertThatThrownBy(() -> TokenFile.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .message()
        .doesNotContain("too-short", "middle");
  }

  @Test
  void namesAMissingFile() {
    assertThatThrownBy(() -> TokenFile.open(folder.resolve("absent")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot read " + folder.resolve("absent"));
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("tokens"), content);
  }
}
