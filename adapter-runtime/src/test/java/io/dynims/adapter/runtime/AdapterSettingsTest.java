package io.dynims.adapter.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.local.LocalAuthority;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may resize the tier, by the settings of an adapter. */
class AdapterSettingsTest {

  private static final String NAME = "--http.tls.client.name=dynims-controller";

  @TempDir private Path folder;
  private TlsFiles.Paths paths;

  @BeforeEach
  void makeCertificates() throws Exception {
    paths = new LocalAuthority(folder, "authority", 1).issue("dynims-agent");
  }

  @Test
  void needsATokenOrTheControllersCertificate() throws Exception {
    assertThatThrownBy(this::read)
        .hasMessageContaining("http.token.file: is required: a file with the controller's token");
    assertThatThrownBy(() -> read(certificate(), key(), authorities()))
        .hasMessageContaining("http.token.file: is required");

    assertThat(read("--http.token.file=none").access().isOpen()).isTrue();
    AdapterSettings settings = read(certificate(), key(), authorities(), NAME);
    assertThat(settings.access().isOpen()).isFalse();
    assertThat(settings.access().tokens()).isEmpty();
    assertThat(settings.access().controller()).contains("dynims-controller");
  }

  @Test
  void aNameNeedsItsAuthorityAndIsNotForAnAdapterThatAsksForNothing() {
    assertThatThrownBy(() -> read(certificate(), key(), NAME))
        .hasMessageContaining("http.tls.client.name: needs http.tls.ca");
    assertThatThrownBy(
            () -> read(certificate(), key(), authorities(), NAME, "--http.token.file=none"))
        .hasMessageContaining("http.token.file: none lets anyone resize the tier");
  }

  /**
   * Which needs no name service: an adapter that starts before the network is up keeps its name.
   */
  @Test
  void theNodesNameIsTheKernelsHostName() throws Exception {
    Process uname = new ProcessBuilder("uname", "-n").start();
    String name = new String(uname.getInputStream().readAllBytes(), UTF_8).strip();

    assertThat(read("--http.token.file=none").node()).isEqualTo(name);
    assertThat(read("--http.token.file=none", "--node.name=n1").node()).isEqualTo("n1");
  }

  private String certificate() {
    return "--http.tls.certificate=" + paths.certificate().orElseThrow();
  }

  private String key() {
    return "--http.tls.key=" + paths.key().orElseThrow();
  }

  private String authorities() {
    return "--http.tls.ca=" + paths.authorities().orElseThrow();
  }

  private AdapterSettings read(String... arguments) throws ConfigException {
    String documented =
        AdapterSettings.documented(
            """
        tier.name = ${DYNIMS_TIER_NAME:sample}
        tier.min = ${DYNIMS_ADAPTER_TIER_MIN:0}
        tier.max = ${DYNIMS_ADAPTER_TIER_MAX:}
        """);
    Config config = Config.read(documented, arguments, Map.of());
    AdapterSettings settings = AdapterSettings.read(config);
    config.check();
    return settings;
  }
}
