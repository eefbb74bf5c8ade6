package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.core.wire.AckStatus;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stack whose parts speak TLS with each other. */
class SecureStackIT {

  /** The beginning of a request to a broker: its length, and ApiVersions. */
  private static final byte[] REQUEST = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};

  private static final int TLS_ALERT = 21;

  private static final TierRequest REQUEST_OF_A_STRANGER = new TierRequest(1, 1, 1_000);

  @TempDir Path folder;

  @Test
  void closesItsLoopAndAnswersNobodyElse() throws Exception {
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    BenchStack stack = new BenchStack(user, Map.of(), false, System.out);
    try (stack) {
      // Returns when a sample has become a capacity in force.
      stack.up(List.of("tls.enabled=true", "tier.max=64Mi"));

      URI adapter = URI.create(stack.settings().adapterUrl());
      assertThat(adapter.getScheme()).isEqualTo("https");
      assertThat(stack.clients().tier().get().tier()).isNotNull();
      assertThat(new TierClient(adapter).put(REQUEST_OF_A_STRANGER).status())
          .as("a client that does not know the authority")
          .isEqualTo(AckStatus.Failed);
      TierClient collectds = new TierClient(adapter, Optional.empty(), stack.clients().tls());
      assertThat(collectds.put(REQUEST_OF_A_STRANGER).message())
          .as("a client with the certificate that all parts but two have")
          .contains("401");
      assertThat(new TierClient(URI.create("http" + adapter.toString().substring(5))).get().tier())
          .as("a client without TLS")
          .isNull();
      assertThat(firstByteFromKafka(stack.settings().port("kafka.port")))
          .as("the broker's answer to a client without TLS")
          .isIn(-1, TLS_ALERT);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(stack.home().config().resolve("tls"))))
          .isEqualTo("rwx------");
    }
  }

  private static int firstByteFromKafka(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(REQUEST);
      return socket.getInputStream().read();
    }
  }
}
