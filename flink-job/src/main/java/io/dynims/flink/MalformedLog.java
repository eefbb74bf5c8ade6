package io.dynims.flink;

import io.dynims.core.wire.WireException;
import io.dynims.runtime.log.RateLimit;
import java.time.Clock;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/** Counts malformed messages and logs at most one of them per minute. */
final class MalformedLog {

  private final RateLimit limit = new RateLimit(60_000);
  private final Counter malformed;
  private final Logger log;
  private final Clock clock;

  MalformedLog(Counter malformed, Logger log, Clock clock) {
    this.malformed = malformed;
    this.log = log;
    this.clock = clock;
  }

  void note(ConsumerRecord<byte[], byte[]> record, WireException what) {
    malformed.inc();
    if (limit.permit(clock.millis())) {
      log.warn(
          "malformed message skipped: topic {} partition {} offset {}: {} ({} more since the last"
              + " such line)",
          record.topic(),
          record.partition(),
          record.offset(),
          what.getMessage(),
          limit.suppressed());
    }
  }
}
