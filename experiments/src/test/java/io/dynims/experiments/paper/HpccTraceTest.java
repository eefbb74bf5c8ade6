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
  void theLoadIsAPieceOfTheTraceWithoutWhatRunsBesideIt() throws Exception {
    Path file = folder.resolve("short.csv");
    Files.writeString(
        file,
        """
        millis,jobBytes,totalBytes
        1000,900,1000
        2000,100,1000
        3000,300,1000
        4000,500,1000
        5000,500,1000
        6000,500,1000
        7000,100,1000
        8000,700,1000
        """);

    LoadProfile load = HpccTrace.read(file).profile(8_000, 1_000, 6_500);

    assertThat(load.durationMillis()).isEqualTo(5_500);
    assertThat(load.bytesAt(0)).isZero();
    assertThat(load.bytesAt(1_000)).isEqualTo(2_000);
    assertThat(load.bytesAt(2_000)).isEqualTo(4_000);
    assertThat(load.bytesAt(3_900)).isEqualTo(4_000);
    assertThat(load.bytesAt(5_000)).isZero();
    assertThat(load.bytesAt(5_500)).isZero();
  }
}
