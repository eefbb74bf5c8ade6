package io.dynims.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemInfoTest {

  @Test
  void fieldsAreInBytes() throws Exception {
    String meminfo =
        """
        MemTotal:       24737804 kB
        MemFree:        19361684 kB
        MemAvailable:   22437804 kB
        HugePages_Total:       0
        """;

    assertThat(MemInfo.parse(meminfo))
        .isEqualTo(new MemInfo(24_737_804L * 1024, 22_437_804L * 1024));
  }

  @Test
  void readsThisMachine() throws Exception {
    MemInfo here = MemInfo.read();

    assertThat(here.totalBytes()).isPositive();
    assertThat(here.availableBytes()).isBetween(1L, here.totalBytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                         | /proc/meminfo has no MemTotal",
        "'MemTotal: 5 kB\nXMemAvailable: 1 kB'      | /proc/meminfo has no MemAvailable",
        "'MemTotal: 5 kB\nMemAvailable: a few kB'   | MemAvailable: a few kB is not a number of kB",
      })
  void namesTheFieldThatIsMissingOrMalformed(String meminfo, String expected) {
    assertThatThrownBy(() -> MemInfo.parse(meminfo))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(expected);
  }
}
