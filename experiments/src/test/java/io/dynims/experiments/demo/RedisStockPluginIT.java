package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.testing.Needs;
import io.dynims.core.wire.Target;
import io.dynims.experiments.bench.BenchStack;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis on a node with collectd's stock plugin, which sees the memory of processes. */
class RedisStockPluginIT {

  private static final long MIB = 1L << 20;
  private static final long TIER_BYTES = 512 * MIB;
  private static final long PATIENCE_MILLIS = 180_000;
  private static final long POLL_MILLIS = 100;

  @TempDir private Path folder;

  @Test
  void itsMemoryIsCountedOnce() throws Exception {
    Needs.installed(Path.of("/usr/bin", "redis-server"), "redis-server");
    StackHome user = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    BenchStack stack = new BenchStack(user, Map.of(), false, System.out);
    try (stack) {
      stack.up(
          List.of(
              "store=redis",
              "collectd.memory.plugin=stock",
              "tier.max=" + TIER_BYTES / MIB + "Mi"));
      StackSettings settings = stack.settings();
      var values = new ValueSet(ValueProtocol.Redis, settings.port("redis.port"), 1, TIER_BYTES);
      try (LoopRecorder loop =
          new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName())) {
        await(() -> loop.lastTarget().isPresent());
        Target empty = loop.lastTarget().orElseThrow();
        values.ensure(done -> {});
        await(
            () ->
                loop.lastTarget().map(Target::tierUsedBytes).orElse(0L)
                    > empty.tierUsedBytes() + TIER_BYTES / 2);
        Target filled = loop.lastTarget().orElseThrow();

        double tierRoseBytes = filled.tierUsedBytes() - empty.tierUsedBytes();
        double roseBytes = filled.memoryUsedBytes() - empty.memoryUsedBytes();
        assertThat(roseBytes / tierRoseBytes).as("v rises by what Redis holds").isBetween(0.5, 1.5);
      }
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(Await.until(PATIENCE_MILLIS, POLL_MILLIS, condition)).isTrue();
  }
}
