package io.dynims.controller.kafka;

import io.dynims.controller.kafka.TopicReader.Begin;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Reads once, on a thread of its own, what Kafka holds of the time before this program started: the
 * topic of history first, then of the topic of targets what is not in there yet.
 */
public final class HistoryReader implements AutoCloseable {

  /** Takes what was read, and returns when it is taken; called on the thread that reads. */
  public interface Receiver {

    /** Takes decisions of the topic of history, for each tier the older before the newer. */
    void kept(List<Target> batch) throws InterruptedException;

    /** Takes decisions of the topic of targets, for each tier the older before the newer. */
    void decided(List<Target> batch) throws InterruptedException;

    /** Notes that this was all. */
    void done();
  }

  private static final Logger LOG = LogManager.getLogger(HistoryReader.class);
  private static final long SPAN_MILLIS = Duration.ofHours(1).toMillis();
  private static final long TARGETS_MILLIS = Duration.ofMinutes(10).toMillis();
  // Decisions are kept some time after they are made, and not those of all tiers at once.
  private static final long OVERLAP_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long RETRY_MILLIS = 1_000;

  private final KafkaSettings settings;
  private final Clock clock;
  private final int leastTargets;
  private final Receiver receiver;
  private final Thread thread;
  private long newestMillis;
  private int count;
  private boolean complained;

  /**
   * Starts to read.
   *
   * @param leastTargets how many of the newest targets to read even where all are in the history
   */
  public HistoryReader(KafkaSettings settings, Clock clock, int leastTargets, Receiver receiver) {
    this.settings = settings;
    this.clock = clock;
    this.leastTargets = leastTargets;
    this.receiver = receiver;
    this.thread = new Thread(this::run, "history");
    thread.start();
  }

  private void run() {
    try {
      while (!read()) {
        Thread.sleep(RETRY_MILLIS);
      }
      LOG.info("{} decisions of the time before the start were read", count);
      receiver.done();
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("the history is not read any more");
    }
  }

  /** Whether there is nothing left to try. What was read twice is taken once. */
  private boolean read() throws InterruptedException {
    count = 0;
    newestMillis = 0;
    try {
      long nowMillis = clock.millis();
      return read(Topics.HISTORY, nowMillis - SPAN_MILLIS, 0, receiver::kept)
          && read(
              Topics.TARGETS,
              Math.max(nowMillis - TARGETS_MILLIS, newestMillis - OVERLAP_MILLIS),
              leastTargets,
              receiver::decided);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      if (!(e instanceof RetriableException) && !complained) {
        complained = true;
        LOG.warn("the history cannot be read, trying again: {}", e.getMessage());
      }
      return false;
    }
  }

  @FunctionalInterface
  private interface Batch {
    void take(List<Target> batch) throws InterruptedException;
  }

  /** False where the topic is not there. */
  private boolean read(String topic, long fromMillis, int least, Batch taker)
      throws InterruptedException {
    try (TopicReader reader = new TopicReader(settings, topic, Begin.Earliest)) {
      if (!reader.assign()) {
        return false;
      }
      reader.seek(fromMillis, least);
      reader.readToEnd(records -> taker.take(targets(records)));
      return true;
    }
  }

  private List<Target> targets(ConsumerRecords<String, byte[]> records) {
    List<Target> batch = new ArrayList<>(records.count());
    for (ConsumerRecord<String, byte[]> each : records) {
      try {
        Target target = TopicReader.target(each.value());
        newestMillis = Math.max(newestMillis, target.decidedMillis());
        batch.add(target);
      } catch (WireException | IllegalArgumentException e) {
        LOG.debug("a message of the history is no target", e);
      }
    }
    count += batch.size();
    return batch;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
