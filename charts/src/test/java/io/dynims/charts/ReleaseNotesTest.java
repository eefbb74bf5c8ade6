package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The notes of a release are cut from the changelog. */
class ReleaseNotesTest {

  private static final String CHANGELOG =
      """
      # Changelog

      ## Unreleased

      ### Added

      - Something.

      ## 1.0.0

      - The first.
      """;

  @TempDir Path scratch;

  @Test
  void areTheSectionOfTheVersion() throws Exception {
    assertThat(notes("1.0.0", CHANGELOG)).isEqualTo("# DynIMS 1.0.0\n\n- The first.\n");
  }

  @Test
  void areWhatIsUnreleasedWhereTheVersionHasNoSection() throws Exception {
    assertThat(notes("1.1.0", CHANGELOG))
        .isEqualTo("# DynIMS 1.1.0\n\n### Added\n\n- Something.\n");
  }

  @Test
  void doNotExistForAChangelogThatHasNeither() throws Exception {
    assertThat(notes("1.1.0", CHANGELOG.replace("Unreleased", "0.9.0"))).isEmpty();
    assertThat(notes("1.1.0", "# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- A\n")).isEmpty();
  }

  @Test
  void existForTheProjectsChangelog() throws Exception {
    assertThat(notes("0.0.0", Files.readString(Path.of("../CHANGELOG.md"))))
        .startsWith("# DynIMS 0.0.0\n\n### Added\n\n- ");
  }

  /** The notes; empty if there are none, which is a failure of the script. */
  private String notes(String version, String changelog) throws Exception {
    Path file = Files.writeString(scratch.resolve("CHANGELOG.md"), changelog);
    Path output = scratch.resolve("output");
    Process process =
        new ProcessBuilder("../dist/packages/notes", version, file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(output);
    assertThat(process.exitValue()).isEqualTo(text.isEmpty() ? 1 : 0);
    return text;
  }
}
