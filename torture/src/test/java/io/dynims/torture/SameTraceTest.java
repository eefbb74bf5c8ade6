package io.dynims.torture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.PlanDraw;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A seed is a reproduction. */
class SameTraceTest {

  @ParameterizedTest
  @ValueSource(longs = {3, 17, 96})
  void theTraceOfASeedIsTheSameInEveryProcess(long seed) throws Exception {
    StringBuilder here = new StringBuilder();
    Run run = Run.of(PlanDraw.draw(seed), line -> here.append(line).append('\n'));
    run.violations().values().forEach(each -> here.append(Torture.line(seed, each)).append('\n'));

    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Torture.class.getName(),
                "--seed",
                Long.toString(seed),
                "--trace")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String there = new String(other.getInputStream().readAllBytes(), UTF_8);

    assertThat(other.waitFor()).isEqualTo(run.violations().isEmpty() ? 0 : 1);
    assertThat(there).isEqualTo(here.toString());
  }
}
