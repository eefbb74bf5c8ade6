package io.dynims.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.demo.LoadProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HpccTraceTest {

  @TempDir private Path folder;

  @Test
  void theLoadHasTheShapeOfTheTraceWithoutWhatRunsBesideIt() throws Exception {
    Path file = folder.resolve("short.csv");
    Files.writeString(
        file,
        """
        millis,jobBytes,totalBytes
        1000,100,1000
        1100,100,1000
        1200,300,1000
        1300,500,1000
        1400,500,1000
        1500,500,1000
        1600,100,1000
        """);

    LoadProfile load = HpccTrace.read(file).profile(8_000, 6_000);

    assertThat(load.durationMillis()).isEqualTo(6_000);
    assertThat(load.bytesAt(0)).isZero();
    assertThat(load.bytesAt(1_000)).isZero();
    assertThat(load.bytesAt(2_000)).isEqualTo(4_000);
    assertThat(load.bytesAt(3_000)).isEqualTo(8_000);
    assertThat(load.bytesAt(4_900)).isEqualTo(8_000);
    assertThat(load.bytesAt(6_000)).isZero();
  }
}
