package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.local.FreePorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

  @TempDir private Path folder;

  @Test
  void namesTheTakenPortItsSettingAndItsHolder() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      StackHome home = Stacks.home(folder);
      StackSettings settings = Stacks.settings(home, "kafka.port=" + taken.getLocalPort());
      Part part = part("kafka", List.of("kafka.port"));

      assertThatThrownBy(
              () -> new Preflight(home, settings, Stacks.EIGHT_GIBIBYTES).check(List.of(part)))
          .isInstanceOf(StackException.class)
          .hasMessageContainingAll(
              "port " + taken.getLocalPort(),
              "kafka.port",
              "(pid " + ProcessHandle.current().pid() + ")");
    }
  }

  @Test
  void reportsATierThatDoesNotFitOrIsNotInMemory() throws Exception {
    StackHome home = Stacks.home(folder);
    StackSettings huge = Stacks.settings(home, "tier.max=900Ti");
    StackSettings elsewhere = Stacks.settings(home, "tier.parent=/proc");
    Part worker = part(AlluxioParts.WORKER, List.of());

    assertThatThrownBy(
            () -> new Preflight(home, huge, Stacks.EIGHT_GIBIBYTES).check(List.of(worker)))
        .hasMessageContainingAll("tier.max", "/dev/shm");
    assertThatThrownBy(
            () -> new Preflight(home, elsewhere, Stacks.EIGHT_GIBIBYTES).check(List.of(worker)))
        .hasMessageContaining("tier.parent");
  }

  @Test
  void anArenaHasToBeInMemory() throws Exception {
    StackHome home = Stacks.home(folder);
    StackSettings settings = Stacks.settings(home, "store=mpiio", "tier.parent=/proc");
    Part agent = part(MpiIoParts.AGENT, List.of());

    assertThatThrownBy(
            () -> new Preflight(home, settings, Stacks.EIGHT_GIBIBYTES).check(List.of(agent)))
        .hasMessageContaining("tier.parent");
  }

  @Test
  void reportsTooLittleMemory() throws Exception {
    StackHome home = Stacks.home(folder);
    StackSettings settings = Stacks.settings(home, "tier.max=64Mi");
    Part worker = part(AlluxioParts.WORKER, List.of());

    assertThatThrownBy(
            () ->
                new Preflight(home, settings, new Machine(1L << 30, 1L << 29))
                    .check(List.of(worker)))
        .hasMessageContaining("512.0 MiB are available");
  }

  @Test
  void anotherStoreNeedsNoFolderInMemory() throws Exception {
    StackHome home = Stacks.home(folder);
    StackSettings settings = Stacks.settings(home, "store=redis", "tier.parent=/proc");
    Part redis = part(RedisParts.SERVER, List.of());

    assertThatThrownBy(
            () -> new Preflight(home, settings, new Machine(1L << 30, 1)).check(List.of(redis)))
        .hasMessageContaining("are available")
        .message()
        .doesNotContain("tier.parent");
  }

  @Test
  void findsNoHolderOfAFreePort() throws Exception {
    int port = FreePorts.next();
    try (ServerSocket unused = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(PortHolder.isFree(port)).isFalse();
    }
    assertThat(PortHolder.of(port)).isEmpty();
  }

  private static Part part(String name, List<String> ports) {
    return new Part(name, List.of(), ports, "", List.of(), () -> {}, Optional::empty);
  }
}
