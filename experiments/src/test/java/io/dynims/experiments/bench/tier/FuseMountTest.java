package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FuseMountTest {

  /** As mountinfo names it. */
  @Test
  void aMountIsNamedAsTheKernelDoes() throws IOException {
    String name =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .map(line -> line.split(" "))
            .filter(fields -> fields[4].equals("/proc"))
            .map(fields -> fields[2])
            .reduce((first, last) -> last)
            .orElseThrow();

    assertThat(FuseMount.device((long) Files.getAttribute(Path.of("/proc"), "unix:dev")))
        .isEqualTo(name);
    assertThat(FuseMount.device(0x10_0034)).isEqualTo("0:" + 0x134);
  }

  @Test
  void otherMountsAreNotTheUsualOne() {
    assertThat(FuseMount.USUAL.isUsual()).isTrue();
    assertThat(new FuseMount(FuseMount.USUAL_OPTIONS, 1 << 20).isUsual()).isFalse();
    assertThat(new FuseMount("direct_io", 0).isUsual()).isFalse();
  }
}
