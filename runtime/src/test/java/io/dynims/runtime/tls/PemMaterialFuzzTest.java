package io.dynims.runtime.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An input holds a certificate, its key and an authority, divided by lines of {@code ====}. */
class PemMaterialFuzzTest {

  /** Held, so that its level is. */
  private static final Logger EXPIRED = Logger.getLogger(PemMaterial.class.getName());

  static {
    EXPIRED.setLevel(Level.OFF);
  }

  private static final TlsFiles.Paths PATHS =
      new TlsFiles.Paths(
          Optional.of(Path.of("the-certificate")),
          Optional.of(Path.of("the-key")),
          Optional.of(Path.of("the-authority")));

  @FuzzTest
  void filesAreRefusedByNameOrGiveBothManagers(byte[] files) {
    check(files);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "filesAreRefusedByNameOrGiveBothManagers", PemMaterialFuzzTest::check);
  }

  private static Outcome check(byte[] files) {
    String[] parts = Arrays.copyOf(new String(files, ISO_8859_1).split("====\n", 3), 3);
    List<byte[]> contents =
        Arrays.stream(parts)
            .map(part -> part == null ? new byte[0] : part.getBytes(ISO_8859_1))
            .toList();
    try {
      PemMaterial material = PemMaterial.read(PATHS, contents);
      assertThat(Stream.of("EC", "RSA", "EdDSA"))
          .anyMatch(type -> material.keyManager().getServerAliases(type, null) != null);
      assertThat(material.trustManager().getAcceptedIssuers()).isNotEmpty();
      return Outcome.Accepted;
    } catch (IOException e) {
      assertThat(e.getMessage()).containsAnyOf("the-certificate", "the-key", "the-authority");
      return Outcome.Refused;
    }
  }
}
