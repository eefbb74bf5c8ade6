package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LiveViewTest {

  private static final long MIB = 1L << 20;

  @Test
  void drawsBarsRelativeToTheMaximumCapacity() {
    assertThat(LiveView.lines(frame(250, 500)))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("tier", "[##########----------                    ] 250 MiB")
                    .contains("of 500 MiB"))
        .anySatisfy(line -> assertThat(line).contains("utilization 0.5000"));
  }

  @Test
  void survivesNumbersBeyondItsWidth() {
    assertThat(LiveView.lines(frame(5_000, 4_000))).isNotEmpty();
    assertThat(LiveView.lines(frame(-1, 0))).isNotEmpty();
  }

  @Test
  void withoutATerminalPrintsAtMostOnePlainLineASecond() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Clock clock = Clock.fixed(Instant.ofEpochMilli(5_000), ZoneOffset.UTC);
    LiveView view = new LiveView(new PrintStream(bytes, true, UTF_8), false, clock);

    view.show(frame(250, 500));
    view.show(frame(250, 500));

    assertThat(bytes.toString(UTF_8)).hasLineCount(1).doesNotContain("\u001b");
  }

  private static LiveView.Frame frame(long usedMebibytes, long capacityMebibytes) {
    return new LiveView.Frame(
        "testing",
        2_000 * MIB,
        0,
        capacityMebibytes * MIB,
        usedMebibytes * MIB,
        1_000 * MIB,
        1_000 * MIB,
        0.95,
        new ReactionMillis(1, 2, 3, 4),
        "holding",
        "none");
  }
}
