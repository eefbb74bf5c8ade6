package io.dynims.sbom;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What dist/cve/check makes of its database and of its scanner, which a script stands in for. */
class CveCheckTest {

  private static final Path CHECK = Path.of("../cve/check");
  private static final String FINDS_WHAT_IT_MUST =
      """
      case "$*" in
        *self-check/vulnerable*) echo GHSA-self-chec-k000; exit 1 ;;
        *self-check/fixed*) exit 0 ;;
      esac
      """;

  @TempDir Path scratch;
  private Path sbom;

  @BeforeEach
  void writeSbom() throws IOException {
    sbom = Files.writeString(scratch.resolve("some.cdx.json"), "{}");
  }

  @Test
  void withoutADatabaseNothingWasChecked() throws Exception {
    Outcome outcome = check(FINDS_WHAT_IT_MUST);

    assertThat(outcome.output()).isEqualTo("cve: no database: nothing was checked\n");
    assertThat(outcome.status()).isEqualTo(3);
  }

  @Test
  void withoutABillOfMaterialsNothingWasChecked() throws Exception {
    writeDatabase();
    Files.delete(sbom);

    Outcome outcome = check(FINDS_WHAT_IT_MUST);

    assertThat(outcome.output()).contains("some.cdx.json").endsWith(": nothing was checked\n");
    assertThat(outcome.status()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, no known vulnerability in 1",
    "1, 1, known vulnerabilities in 1",
    "127, 3, nothing was checked",
    "128, 3, nothing was checked"
  })
  void reportsWhatTheScannerFound(int scanner, int status, String message) throws Exception {
    writeDatabase();

    Outcome outcome = check(FINDS_WHAT_IT_MUST + "exit " + scanner);

    assertThat(outcome.output()).contains(message);
    assertThat(outcome.status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 0", "exit 127", "echo GHSA-self-chec-k000; exit 1"})
  void doesNotTrustAScannerThatFailsItsSelfCheck(String scanner) throws Exception {
    writeDatabase();

    Outcome outcome = check(scanner);

    assertThat(outcome.output())
        .endsWith("cve: the scanner fails its self-check: nothing was checked\n");
    assertThat(outcome.status()).isEqualTo(3);
  }

  private void writeDatabase() throws IOException {
    Path folder = Files.createDirectories(scratch.resolve("database/osv-scalibr/Maven"));
    Files.writeString(folder.resolve("all.zip"), "not empty");
  }

  private record Outcome(int status, String output) {}

  private Outcome check(String scanner) throws Exception {
    Path program = Files.writeString(scratch.resolve("scanner"), "#!/bin/sh\n" + scanner + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Path log = scratch.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(CHECK.toString(), "--no-refresh", sbom.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("DYNIMS_CVE_DATABASE", scratch.resolve("database").toString());
    builder.environment().put("DYNIMS_OSV_SCANNER", program.toString());
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(log));
  }
}
