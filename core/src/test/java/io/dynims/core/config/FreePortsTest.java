package io.dynims.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.config.FreePorts.Range;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  @Test
  void picksDifferentPortsThatCanBeBound() throws Exception {
    List<Integer> ports = IntStream.range(0, 50).mapToObj(i -> FreePorts.next()).toList();

    assertThat(ports).doesNotHaveDuplicates();
    for (int port : ports.subList(0, 5)) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(socket.getLocalPort()).isEqualTo(port);
      }
    }
  }

  @Test
  void picksOutsideTheEphemeralRangeOfThisMachine() {
    Range ephemeral = FreePorts.ephemeral();
    int port = FreePorts.next();

    assertThat(port < ephemeral.first() || port > ephemeral.last()).isTrue();
  }

  @Test
  void parsesTheKernelsFormat() {
    assertThat(FreePorts.parse("32768\t60999\n")).isEqualTo(new Range(32_768, 60_999));
  }

  @Test
  void usesThePortsBelowTheEphemeralRangeOrElseThoseAbove() {
    assertThat(FreePorts.outside(new Range(32_768, 60_999))).isEqualTo(new Range(20_000, 32_767));
    assertThat(FreePorts.outside(new Range(10_000, 60_999))).isEqualTo(new Range(61_000, 65_535));
    assertThat(FreePorts.outside(new Range(1_024, 65_535))).isEqualTo(new Range(20_000, 65_535));
  }

  @Test
  void givesEachKeyAPortOfItsOwn() {
    assertThat(FreePorts.forKeys(List.of("b.port", "a.port")))
        .containsOnlyKeys("b.port", "a.port")
        .extractingByKeys("b.port", "a.port")
        .doesNotHaveDuplicates();
  }
}
