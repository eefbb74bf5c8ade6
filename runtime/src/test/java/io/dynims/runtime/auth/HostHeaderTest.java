package io.dynims.runtime.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostHeaderTest {

  @ParameterizedTest
  @CsvSource({
    "localhost, true",
    "localhost:8081, true",
    "LocalHost:1, true",
    "127.0.0.1:8081, true",
    "[::1]:8081, true",
    "127.0.0.2:8081, false",
    "evil.example:8081, false",
    "127.0.0.1.evil.example, false",
    "localhost.evil.example, false",
    "'', false",
    ", false"
  })
  void onLoopbackOnlyItsOwnNamesAreMeant(String host, boolean expected) throws Exception {
    InetAddress loopback = address(127, 0, 0, 1);

    assertThat(HostHeader.isMeant(loopback, host)).isEqualTo(expected);
  }

  @Test
  void anotherAddressOfLoopbackHasItsOwnName() throws Exception {
    InetAddress loopback = address(127, 0, 0, 2);

    assertThat(HostHeader.isMeant(loopback, "127.0.0.2:8081")).isTrue();
  }

  @Test
  void elsewhereAnyNameIsMeant() throws Exception {
    InetAddress pod = address(10, 0, 0, 7);
    InetAddress all = address(0, 0, 0, 0);

    assertThat(HostHeader.isMeant(pod, "dynims-controller.dynims")).isTrue();
    assertThat(HostHeader.isMeant(all, null)).isTrue();
  }

  private static InetAddress address(int... parts) throws UnknownHostException {
    byte[] bytes = new byte[parts.length];
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = (byte) parts[i];
    }
    return InetAddress.getByAddress(bytes);
  }
}
