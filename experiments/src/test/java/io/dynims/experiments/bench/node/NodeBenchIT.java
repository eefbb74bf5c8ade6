package io.dynims.experiments.bench.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackHome;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With every real part; the jars must be built. */
@Tag("long")
class NodeBenchIT {

  @TempDir private Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void measuresBothProgramsAndTheirSum() throws Exception {
    StackHome home = new StackHome(Path.of("..").toAbsolutePath().normalize(), folder);
    Findings findings;
    BenchStack stack = new BenchStack(home, Map.of(), false, System.out);
    try (stack) {
      findings = new NodeBench(stack, System.out).run(1, 3);
    }

    NodeFindings.Results results = (NodeFindings.Results) findings.json();
    assertThat(results.parts()).containsOnlyKeys("adapter", "collectd");
    NodeFindings.Use adapter = results.parts().get("adapter");
    NodeFindings.Use collectd = results.parts().get("collectd");
    assertThat(adapter.cpuCores()).isPositive();
    assertThat(adapter.anonymousBytes()).isPositive().isLessThan(adapter.rssBytes());
    assertThat(collectd.rssBytes()).isPositive().isLessThan(adapter.rssBytes());
    assertThat(results.node()).isEqualTo(adapter.plus(collectd));
    assertThat(stack.stack().isUp()).isFalse();
  }
}
