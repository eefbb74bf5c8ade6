package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with real interfaces; what it runs must be built. Needs root and FUSE. */
class TierCommandIT {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path home;

  @BeforeEach
  void programs() {
    Path slowly = PROJECT.resolve("mpiio-cache/target/slowfs");
    if (!Files.isExecutable(slowly)) {
      Assertions.fail(slowly + " is missing; build it with mpiio-cache/build");
    }
  }

  @Test
  void mpiIoFailsItWithAWrongByteAndOnlyThen() {
    String[] interfaces = {"--interface", "MpiIo,PlainMpiIo"};

    Outcome right = run(interfaces);
    assertThat(right.exitCode()).as(right.err()).isZero();

    wrongByteIsFound(List.of("mpiio", "plainmpiio"), interfaces);
  }

  @Test
  @Tag("long")
  void eachOfAlluxiosInterfacesFailsItWithAWrongByte() {
    wrongByteIsFound(List.of("native", "fuse", "s3"), "--interface", "Native,Fuse,S3");
  }

  private void wrongByteIsFound(List<String> interfaces, String... options) {
    List<String> planted = new ArrayList<>(List.of(options));
    planted.add("--plant-wrong-byte");

    Outcome wrong = run(planted.toArray(String[]::new));

    assertThat(wrong.exitCode()).as(wrong.err()).isEqualTo(1);
    assertThat(wrong.err()).contains("must hold and does not: blocks read with wrong bytes: ");
    String table = wrong.out().substring(wrong.out().indexOf("Blocks read with wrong bytes"));
    assertThat(table).contains(interfaces);
  }

  private Outcome run(String... options) {
    List<String> line = new ArrayList<>(List.of("bench", "tier", "--quick", "--parts", "Rest"));
    line.addAll(List.of("--blocks", "16Ki", "--size", "64Mi"));
    Collections.addAll(line, options);
    return Commands.run(PROJECT, home, line.toArray(String[]::new));
  }
}
