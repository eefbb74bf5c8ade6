package io.dynims.flink;

import io.dynims.core.wire.WireException;
import java.time.Clock;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/** Counts malformed messages and logs one of them a minute. */
final class MalformedLog {

  private static final long PERIOD_MILLIS = 60_000;

  private final Counter malformed;
  private final Logger log;
  private final Clock clock;
  private boolean logged;
  private long loggedMillis;
  private long unlogged;

  MalformedLog(Counter malformed, Logger log, Clock clock) {
    this.malformed = malformed;
    this.log = log;
    this.clock = clock;
  }

  void note(ConsumerRecord<byte[], byte[]> record, WireException what) {
    malformed.inc();
    long now = clock.millis();
    // The absolute difference, so that a clock set back does not silence the log.
    if (logged && Math.abs(now - loggedMillis) < PERIOD_MILLIS) {
      unlogged++;
      return;
    }
    log.warn(
        "malformed message skipped: topic {} partition {} offset {}: {} ({} more since the last"
            + " such line)",
        record.topic(),
        record.partition(),
        record.offset(),
        what.getMessage(),
        unlogged);
    logged = true;
    loggedMillis = now;
    unlogged = 0;
  }
}
