package io.dynims.experiments.bench.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the whole stack on real parts; their jars must be built. */
@Tag("long")
class HostileBenchIT {

  private static final int CONNECTIONS = 600;

  @TempDir private Path folder;

  @Test
  void theLoopGoesOnBesideHostileClients() throws Exception {
    StackHome home = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    Findings findings;
    BenchStack stack = new BenchStack(home, Map.of("DYNIMS_TIER_MAX", "64Mi"), false, System.out);
    try (stack) {
      HostileOptions options = new HostileOptions(CONNECTIONS, 5, 3);
      findings = new HostileBench(stack, options, 1, System.out).run();
      // Nothing that they asked for was done: neither to nothing nor to more than there is.
      assertThat(stack.clients().tier().get().tier().capacityBytes()).isBetween(1L, 64L << 20);
    }

    HostileBench.Results results = (HostileBench.Results) findings.json();
    assertThat(results.connections()).isGreaterThanOrEqualTo(CONNECTIONS);
    assertThat(results.atRest().count()).isPositive();
    assertThat(results.disturbed().count()).isPositive();
    assertThat(results.servers()).containsOnlyKeys("adapter", "controller");
    assertThat(results.servers().values())
        .allSatisfy(
            server -> {
              assertThat(server.before().heapBytes()).isPositive();
              assertThat(server.after().heapBytes()).isPositive();
            });
    assertThat(stack.stack().isUp()).isFalse();
  }
}
