package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docker-compose.yml as ./release packages it. */
class PackagedComposeTest {

  @TempDir Path scratch;

  @Test
  void takesItsImagesFromTheRegistryAndBuildsNone() throws Exception {
    String compose = make("registry.example.com/dynims");

    assertThat(found("image: (\\S+)", compose))
        .hasSizeGreaterThan(10)
        .allMatch(
            image -> image.matches("registry\\.example\\.com/dynims/dynims-[a-z-]+:1\\.2\\.3"));
    assertThat(compose).doesNotContain("build:", "--build");
  }

  @Test
  void withoutARegistryImagesAreNamedAsInTheArchives() throws Exception {
    assertThat(found("image: (\\S+)", make("")))
        .hasSizeGreaterThan(10)
        .allMatch(image -> image.matches("dynims-[a-z-]+:1\\.2\\.3"));
  }

  @Test
  void hasAllFilesThatItMounts() throws Exception {
    assertThat(found("\"\\./([^:]+):", make("")))
        .contains("policies", "stores")
        .allSatisfy(folder -> assertThat(scratch.resolve(folder)).isNotEmptyDirectory());
  }

  private static List<String> found(String expression, String text) {
    return Pattern.compile(expression)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private String make(String registry) throws Exception {
    Path log = scratch.resolve("log");
    Process process =
        new ProcessBuilder("../dist/packages/compose", "..", "1.2.3", registry, scratch.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    return Files.readString(scratch.resolve("docker-compose.yml"));
  }
}
