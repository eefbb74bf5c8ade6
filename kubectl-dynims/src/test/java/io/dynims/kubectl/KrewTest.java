package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The template of the krew manifest. */
class KrewTest {

  @Test
  void aReleaseHasToFillInItsVersionItsAddressAndItsChecksum() throws Exception {
    String template = Files.readString(Path.of("krew.yaml"));
    assertThat(template).contains("${VERSION}", "${URL}", "${SHA256}");
    String filled =
        template
            .replace("${VERSION}", "1.2.3")
            .replace("${URL}", "https://example.org/kubectl-dynims-1.2.3.tar.gz")
            .replace("${HOMEPAGE}", "https://example.org")
            .replace("${SHA256}", "0".repeat(64));
    assertThat(filled).doesNotContain("${");

    Map<?, ?> manifest =
        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(filled);
    assertThat(manifest.get("apiVersion"))
        .isEqualTo("krew.googlecontainertools.github.com/v1alpha2");
    assertThat(manifest.get("kind")).isEqualTo("Plugin");
    assertThat(((Map<?, ?>) manifest.get("metadata")).get("name")).isEqualTo("dynims");
    Map<?, ?> spec = (Map<?, ?>) manifest.get("spec");
    assertThat(spec.get("version")).isEqualTo("v1.2.3");
    assertThat((String) spec.get("shortDescription")).hasSizeBetween(1, 50);
    for (Object each : (List<?>) spec.get("platforms")) {
      Map<?, ?> platform = (Map<?, ?>) each;
      assertThat(platform.get("bin")).isEqualTo("kubectl-dynims");
      assertThat((String) platform.get("sha256")).matches("[0-9a-f]{64}");
      for (Object file : (List<?>) platform.get("files")) {
        String from = (String) ((Map<?, ?>) file).get("from");
        assertThat(List.of(Path.of(from), Path.of("..", from)))
            .as(from)
            .anyMatch(Files::isRegularFile);
      }
    }
  }
}
