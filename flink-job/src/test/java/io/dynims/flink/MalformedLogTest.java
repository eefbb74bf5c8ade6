package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.WireException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class MalformedLogTest {

  private final List<String> lines = new ArrayList<>();
  private final SimpleCounter counter = new SimpleCounter();
  private final MovableClock clock = new MovableClock();
  private final MalformedLog log = new MalformedLog(counter, recorder(), clock);

  @Test
  void countsEachAndLogsOneAMinuteWithItsPlaceAndFault() {
    note(7);
    clock.millis += 59_999;
    note(8);
    note(9);
    clock.millis += 1;
    note(10);
    assertThat(counter.getCount()).isEqualTo(4);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .contains("topic dynims.metrics partition 3 offset 7: collectd: host: is missing (0 more");
    assertThat(lines.get(1)).contains("offset 10").contains("(2 more");
  }

  @Test
  void isNotSilencedByAClockSetBack() {
    note(1);
    clock.millis -= 3_600_000;
    note(2);
    assertThat(lines).hasSize(2);
  }

  private void note(long offset) {
    log.note(
        new ConsumerRecord<>("dynims.metrics", 3, offset, null, null),
        new WireException("host", "collectd: host: is missing", null));
  }

  private Logger recorder() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              lines.add(
                  MessageFormatter.arrayFormat((String) arguments[0], (Object[]) arguments[1])
                      .getMessage());
              return null;
            });
  }

  private static final class MovableClock extends Clock {

    private long millis = 1_000_000;

    @Override
    public long millis() {
      return millis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
