package io.dynims.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controller and adapter both live, and do not reach each other. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class ConnectionE2E {

  @ParameterizedTest
  @EnumSource(
      value = Relay.Mode.class,
      names = {"Hold", "Refuse"})
  void theNodeIsSafeWhenTheControllerDoesNotReachTheAdapter(Relay.Mode cut, ChaosRun chaos)
      throws Exception {
    int port = chaos.stack().settings().port("adapter.port");
    Path policy = chaos.stack().policyFile();
    try (Relay relay = new Relay(port)) {
      replacePort(policy, port, relay.port());
      try {
        chaos.run(
            cut == Relay.Mode.Hold
                ? "packets between controller and adapter lost"
                : "connections between controller and adapter refused",
            Promise.NeverAboveMemory,
            Fault.of(stack -> relay.set(cut), stack -> relay.set(Relay.Mode.Pass)));
      } finally {
        replacePort(policy, relay.port(), port);
      }
    }
  }

  private static void replacePort(Path policy, int from, int to) throws IOException {
    Path partial = policy.resolveSibling("alluxio.yaml.partial");
    Files.writeString(
        partial,
        Files.readString(policy).replace("127.0.0.1:" + from + "\"", "127.0.0.1:" + to + "\""));
    Files.move(
        partial, policy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
