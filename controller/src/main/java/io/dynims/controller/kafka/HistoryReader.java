package io.dynims.controller.kafka;

import io.dynims.controller.kafka.TopicReader.Begin;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
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
 * Reads the decisions from before this program started, once and on its own thread: first the
 * history topic, then the part of the target topic that is not in the history topic yet.
 */
public final class HistoryReader implements AutoCloseable {

  /** Receives the decisions on the reading thread; the next batch is read when a call returns. */
  public interface Receiver {

    /** Receives decisions of the history topic, oldest first for each tier. */
    void acceptHistory(List<Target> batch) throws InterruptedException;

    /** Receives decisions of the target topic, oldest first for each tier. */
    void acceptTargets(List<Target> batch) throws InterruptedException;

    /** Called after the last batch. */
    void finished();
  }

  private static final Logger LOG = LogManager.getLogger(HistoryReader.class);
  private static final long SPAN_MILLIS = Duration.ofHours(1).toMillis();
  private static final long TARGETS_MILLIS = Duration.ofMinutes(10).toMillis();
  // Decisions reach the history topic with a delay that differs between tiers.
  private static final long OVERLAP_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long RETRY_MILLIS = 1_000;

  private final KafkaSettings settings;
  private final Clock clock;
  private final int minTargets;
  private final Receiver receiver;
  private final Thread thread;
  private long newestMillis;
  private int count;
  private boolean failureLogged;

  /**
   * Starts to read.
   *
   * @param minTargets how many of the newest targets to read in any case
   */
  public HistoryReader(KafkaSettings settings, Clock clock, int minTargets, Receiver receiver) {
    this.settings = settings;
    this.clock = clock;
    this.minTargets = minTargets;
    this.receiver = receiver;
    this.thread = new Thread(this::run, "history");
    thread.start();
  }

  private void run() {
    try {
      while (!tryRead()) {
        Thread.sleep(RETRY_MILLIS);
      }
      LOG.info("read {} decisions from before the start", count);
      receiver.finished();
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("stopped reading the history: shutting down");
    }
  }

  /** Returns whether everything was read; after a failure all is read again, which does no harm. */
  private boolean tryRead() throws InterruptedException {
    count = 0;
    newestMillis = 0;
    try {
      long nowMillis = clock.millis();
      return read(Topics.HISTORY, nowMillis - SPAN_MILLIS, 0, receiver::acceptHistory)
          && read(
              Topics.TARGETS,
              Math.max(nowMillis - TARGETS_MILLIS, newestMillis - OVERLAP_MILLIS),
              minTargets,
              receiver::acceptTargets);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      if (!(e instanceof RetriableException) && !failureLogged) {
        failureLogged = true;
        LOG.warn("cannot read the history, retrying: {}", e.getMessage());
      }
      return false;
    }
  }

  @FunctionalInterface
  private interface BatchReceiver {
    void accept(List<Target> batch) throws InterruptedException;
  }

  /** Reads a topic from a time to its end; false if the topic does not exist. */
  private boolean read(String topic, long fromMillis, int minRecords, BatchReceiver batches)
      throws InterruptedException {
    try (TopicReader reader = new TopicReader(settings, topic, Begin.Earliest)) {
      if (!reader.assign()) {
        return false;
      }
      reader.seek(fromMillis, minRecords);
      reader.readToEnd(records -> batches.accept(targets(records)));
      return true;
    }
  }

  private List<Target> targets(ConsumerRecords<String, byte[]> records) {
    List<Target> batch = new ArrayList<>(records.count());
    for (ConsumerRecord<String, byte[]> each : records) {
      try {
        Target target = WireCodec.TARGET.decode(each.value());
        newestMillis = Math.max(newestMillis, target.decidedMillis());
        batch.add(target);
      } catch (WireException e) {
        LOG.debug("skipped a malformed message of the history", e);
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
