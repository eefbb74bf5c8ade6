package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.controller.kafka.TopicReader.Begin;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.runtime.backlog.PartitionEnds;
import io.dynims.runtime.log.RateLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Reads the target topic from its end, on its own thread, and hands targets on in batches: all of
 * them, or of partitions that other controllers serve only the newest of each tier, twice a second.
 */
public final class TargetFeed implements AutoCloseable {

  /** Receives what was read, on the reading thread. */
  public interface Receiver {

    /** Processes targets in order, and returns when the next batch may be read. */
    void accept(List<Target> batch) throws InterruptedException;

    /** Counts a message that is not a target. */
    void malformed();

    /** Counts targets that were not read because newer ones wait behind them. */
    void skipped(long targets);
  }

  private static final long STOP_MILLIS = 2_000;
  private static final Logger LOG = LogManager.getLogger(TargetFeed.class);
  private static final Duration PARTITION_REFRESH = Duration.ofSeconds(10);
  private static final long RETRY_MILLIS = 500;
  private static final long LOG_PERIOD_MILLIS = 60_000;

  /**
   * After a batch of this size more targets follow soon; a short pause saves many small fetches.
   */
  private static final int LARGE_BATCH = 8;

  private final Receiver receiver;
  private final TopicReader reader;
  private final long pauseNanos;
  private final NewestOfOthers others = new NewestOfOthers();
  private final RateLimit malformedLog = new RateLimit(LOG_PERIOD_MILLIS);
  private final RateLimit skippedLog = new RateLimit(LOG_PERIOD_MILLIS);
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean reading;
  private volatile long lagRecords;
  private volatile int partitions;

  /** Null where no other controller serves any. */
  private volatile Set<Integer> served;

  /** Starts the reading thread. */
  public TargetFeed(KafkaSettings settings, Receiver receiver) {
    this.receiver = receiver;
    this.pauseNanos = Duration.ofMillis(settings.lingerMillis()).toNanos();
    this.reader = new TopicReader(settings, Topics.TARGETS, Begin.Latest);
    this.thread = new Thread(this::run, "targets");
    thread.start();
  }

  /** Whether the topic exists and is being read. */
  public boolean reading() {
    return reading;
  }

  /** The number of unread targets according to the last fetch. */
  public long lagRecords() {
    return lagRecords;
  }

  /** The number of partitions of the topic; 0 if it is not known yet. */
  public int partitions() {
    return partitions;
  }

  /** Which partitions to read in full from now on; all of them before the first call. */
  public void serve(Set<Integer> own) {
    served = Set.copyOf(own);
  }

  private void run() {
    try (reader) {
      while (!closed) {
        readUntilRefresh();
      }
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("stopped reading targets: shutting down");
    }
  }

  private void readUntilRefresh() throws InterruptedException {
    try {
      if (!reader.assign()) {
        Thread.sleep(RETRY_MILLIS);
        return;
      }
      partitions = reader.partitions();
      long untilNanos = System.nanoTime() + PARTITION_REFRESH.toNanos();
      while (!closed && System.nanoTime() < untilNanos) {
        skipBacklog();
        ConsumerRecords<String, byte[]> records = reader.poll();
        deliver(records);
        lagRecords = reader.lagRecords();
        reading = true;
        if (records.count() >= LARGE_BATCH) {
          LockSupport.parkNanos(pauseNanos);
        }
      }
    } catch (WakeupException e) {
      LOG.debug("reading interrupted: shutting down");
    } catch (KafkaException e) {
      LOG.debug("cannot read targets, retrying", e);
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private void skipBacklog() {
    long skipped = reader.skipBacklog();
    if (skipped == 0) {
      return;
    }
    receiver.skipped(skipped);
    if (skippedLog.permit(NANOSECONDS.toMillis(System.nanoTime()))) {
      LOG.warn(
          "more than {} ms behind in {}: skipped {} targets to go on with the newest ({} times more"
              + " since the last such line)",
          PartitionEnds.OUTDATED_MILLIS,
          Topics.TARGETS,
          skipped,
          skippedLog.suppressed());
    }
  }

  private void deliver(ConsumerRecords<String, byte[]> records) throws InterruptedException {
    Set<Integer> own = served;
    List<Target> batch = new ArrayList<>(records.count());
    Consumer<Target> add = batch::add;
    for (ConsumerRecord<String, byte[]> record : records) {
      if (own == null || own.contains(record.partition())) {
        decode(record, add);
      } else {
        others.put(record);
      }
    }
    if (own != null) {
      others.drain(own, System.nanoTime()).forEach(record -> decode(record, add));
    }
    if (!batch.isEmpty()) {
      receiver.accept(batch);
    }
  }

  private void decode(ConsumerRecord<String, byte[]> record, Consumer<Target> add) {
    try {
      add.accept(WireCodec.TARGET.decode(record.value()));
    } catch (WireException e) {
      receiver.malformed();
      logMalformed(record, e.getMessage());
    }
  }

  private void logMalformed(ConsumerRecord<String, byte[]> record, String why) {
    if (malformedLog.permit(NANOSECONDS.toMillis(System.nanoTime()))) {
      LOG.warn(
          "malformed target skipped: topic {} partition {} offset {}: {} ({} more since the last"
              + " such line)",
          record.topic(),
          record.partition(),
          record.offset(),
          why,
          malformedLog.suppressed());
    }
  }

  @Override
  public void close() {
    closed = true;
    TopicReader.stop(thread, reader, STOP_MILLIS);
  }
}
