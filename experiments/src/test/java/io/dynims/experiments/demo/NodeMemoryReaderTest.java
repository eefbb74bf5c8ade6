package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NodeMemoryReaderTest {

  private static final String MEMINFO =
      "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\n";
  private static final String ZONEINFO =
      """
      Node 0, zone   Normal
        pages free     1
        pagesets
          cpu: 0
                    count:    10
                    high:     20
          cpu: 1
                    count:    5
                    high:     20
      """;

  @Test
  void countsFreePagesInTheProcessorsListsAsAvailable() throws Exception {
    NodeMemoryReader memory = NodeMemoryReader.parse(MEMINFO, ZONEINFO);

    assertThat(memory.totalBytes()).isEqualTo(1000 * 1024);
    assertThat(memory.availableBytes()).isEqualTo(400 * 1024 + 15 * 4096);
    assertThat(memory.usedBytes()).isEqualTo(600 * 1024 - 15 * 4096);
  }

  @Test
  void namesWhatIsMissing() {
    assertThatThrownBy(() -> NodeMemoryReader.parse("MemTotal: 1 kB\n", ZONEINFO))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MemAvailable");
  }
}
