package io.dynims.sbom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bills of materials of this build. */
class SbomIT {

  private static final Path LICENSES = Path.of("licenses.csv");

  @BeforeAll
  static void needsSboms() {
    // No machine lacks this for good: a run whose skips are checked has them, or fails.
    assumeTrue(
        EnumSet.allOf(Deployable.class).stream().allMatch(Deployable::hasSbom),
        "needs sboms: a Maven that is offline makes none");
  }

  @ParameterizedTest
  @EnumSource
  void listsEveryJarWithItsVersionAndContent(Deployable deployable) throws Exception {
    var listed = new TreeMap<String, String>();
    deployable.components().forEach(each -> listed.put(each.jar(), each.sha256()));
    var found = new TreeMap<String, String>();
    for (Path jar : deployable.jars()) {
      found.put(jar.getFileName().toString(), sha256(jar));
    }

    String hint = "%s; ./mvnw clean removes jars that an earlier build left".formatted(deployable);
    if (deployable == Deployable.FLINK_JOB) {
      // The rest is in the job's own jar.
      assertThat(listed).as(hint).containsAllEntriesOf(found);
    } else {
      assertThat(listed).as(hint).containsExactlyEntriesOf(found);
    }
  }

  @Test
  void listsWhatTheJobHasInItsOwnJar() throws Exception {
    Set<String> inLib =
        Deployable.FLINK_JOB.jars().stream()
            .map(jar -> jar.getFileName().toString())
            .collect(Collectors.toSet());

    assertThat(Deployable.FLINK_JOB.components())
        .filteredOn(each -> !inLib.contains(each.jar()))
        .extracting(Component::name)
        .contains("dynims-core", "flink-connector-kafka", "kafka-clients", "jackson-databind");
  }

  @ParameterizedTest
  @EnumSource
  void isTheSameForTheSameContent(Deployable deployable) throws Exception {
    assertThat(deployable.sbom().path("metadata").has("timestamp")).isFalse();
    assertThat(deployable.sbom().path("metadata").path("properties").toString())
        .contains("\"cdx:reproducible\",\"value\":\"enabled\"");
  }

  @ParameterizedTest
  @EnumSource
  void licencesSuitApache(Deployable deployable) throws Exception {
    LicensePolicy policy = LicensePolicy.read(LICENSES);

    assertThat(deployable.components().stream().map(policy::objection).flatMap(Optional::stream))
        .as("libraries whose license is not allowed, and neither in %s", LICENSES)
        .isEmpty();
  }

  @Test
  void everyLookedUpLicenceIsNeeded() throws Exception {
    List<Component> all = new ArrayList<>();
    for (Deployable deployable : Deployable.values()) {
      all.addAll(deployable.components());
    }

    assertThat(LicensePolicy.read(LICENSES).unused(all)).isEmpty();
  }

  private static String sha256(Path file) throws Exception {
    var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }
}
