package io.dynims.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {

  @Test
  void whatIsAwaitedMayTakeLongerThanAwaitilitysTenSeconds() {
    AtomicLong leftMillis = new AtomicLong();

    await()
        .conditionEvaluationListener(each -> leftMillis.set(each.getRemainingTimeInMS()))
        .until(() -> true);

    assertThat(Duration.ofMillis(leftMillis.get())).isGreaterThan(Duration.ofMinutes(1));
  }
}
