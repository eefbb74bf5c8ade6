package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.node.MemInfo;
import org.junit.jupiter.api.Test;

class NodeMemoryReaderTest {

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
  void countsFreePagesInTheProcessorsListsAsAvailable() {
    NodeMemoryReader memory = NodeMemoryReader.of(new MemInfo(1000 * 1024, 400 * 1024), ZONEINFO);

    assertThat(memory.totalBytes()).isEqualTo(1000 * 1024);
    assertThat(memory.availableBytes()).isEqualTo(400 * 1024 + 15 * 4096);
    assertThat(memory.usedBytes()).isEqualTo(600 * 1024 - 15 * 4096);
  }
}
