package io.dynims.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

  private final VirtualTime time = new VirtualTime();
  private final List<String> happened = new ArrayList<>();

  @Test
  void eventsOfOneInstantHappenInTheOrderInWhichTheyWereScheduled() {
    time.after(20, () -> happened.add("c"));
    time.after(10, () -> happened.add("a"));
    time.after(10, () -> happened.add("b"));

    time.runUntil(15);

    assertThat(happened).containsExactly("a", "b");
    assertThat(time.millis()).isEqualTo(15);
    time.runUntil(20);
    assertThat(happened).containsExactly("a", "b", "c");
  }

  @Test
  void anEventMaySetTheNext() {
    time.after(1, () -> time.after(0, () -> happened.add(time.millis() + "")));

    time.runUntil(5);

    assertThat(happened).containsExactly("1");
  }

  @Test
  void aClockThatIsFastGoesOnBeingFastAfterItWasSet() {
    var clock = new MachineClock(time, 0.01);
    clock.step(-500);

    time.runUntil(10_000);

    assertThat(clock.millis() - MachineClock.EPOCH_MILLIS).isEqualTo(10_100 - 500);
    assertThat(clock.nanos()).isEqualTo(10_100_000_000L);
  }
}
