package io.dynims.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A settings file of any content, and another one that a setting names. */
class ConfigFuzzTest {

  private static final String DOCUMENTED =
      """
      a.text = ${A_TEXT:}
      a.required = ${A_REQUIRED:x}
      a.size = ${A_SIZE:32Mi}
      a.limit = ${A_LIMIT:}
      a.time = ${A_TIME:100ms}
      a.ratio = ${A_RATIO:0.1%}
      a.number = ${A_NUMBER:7}
      a.flag = ${A_FLAG:true}
      a.path = ${A_PATH:}
      a.uri = ${A_URI:http://127.0.0.1:7070}
      a.properties = ${A_PROPERTIES:}
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("settings");
  }

  @FuzzTest
  @DictionaryEntries({"a.", "\\\\u", "\\\\u0000", "a.path=", "a.uri=http://", "32Mi", "%", "\\x0a"})
  void everyErrorOfAFileIsToldAtOnce(byte[] properties) throws Exception {
    check(properties);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(getClass(), "everyErrorOfAFileIsToldAtOnce", this::check);
  }

  private Outcome check(byte[] properties) throws IOException {
    Files.write(file, properties);
    String[] args = {"--config", file.toString()};
    Config config = Config.read(DOCUMENTED, args, Map.of("A_PROPERTIES", file.toString()));
    assertThat(config.text("a.text")).isNotNull();
    assertThat(config.required("a.required")).isNotNull();
    assertThat(config.bytes("a.size")).isNotNegative();
    assertThat(config.optionalBytes("a.limit").orElse(0L)).isNotNegative();
    assertThat(config.millis("a.time")).isNotNegative();
    assertThat(config.ratio("a.ratio")).isBetween(0.0, 1.0);
    assertThat(config.number("a.number", 5, 9)).isBetween(5, 9);
    boolean flag = config.flag("a.flag");
    assertThat(config.path("a.path")).isNotNull();
    config.uri("a.uri").ifPresent(uri -> assertThat(uri.getHost()).isNotEmpty());
    assertThat(config.properties("a.properties")).doesNotContainValue(null);
    try {
      config.check();
    } catch (ConfigException e) {
      assertThat(e.getMessage()).isNotBlank();
      return Outcome.Refused;
    }
    assertThat(flag).isEqualTo(config.text("a.flag").equals("true"));
    return Outcome.Accepted;
  }
}
