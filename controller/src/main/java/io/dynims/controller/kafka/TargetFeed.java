package io.dynims.controller.kafka;

import io.dynims.controller.kafka.TopicReader.Begin;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * Follows the topic of targets from its end, on a thread of its own. Every partition is read, in no
 * consumer group: there is nothing to commit and no rebalance to wait for.
 */
public final class TargetFeed implements AutoCloseable {

  /** Takes what came. */
  public interface Receiver {

    /** Takes targets in their order and returns when they are taken. */
    void targets(List<Target> batch) throws InterruptedException;

    /** Notes a message that is no target. */
    void malformed();
  }

  private static final Logger LOG = LogManager.getLogger(TargetFeed.class);
  private static final Duration LOOK_FOR_PARTITIONS = Duration.ofSeconds(10);
  private static final long RETRY_MILLIS = 500;

  /**
   * Where many come at once there is soon more: waiting a little for that spares both sides a
   * request for each few.
   */
  private static final int MANY = 8;

  private final Receiver receiver;
  private final TopicReader reader;
  private final long breathNanos;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean following;
  private volatile long lagRecords;
  private long lastComplaintNanos = System.nanoTime() - Duration.ofMinutes(1).toNanos();

  /** Starts to follow. */
  public TargetFeed(KafkaSettings settings, Receiver receiver) {
    this.receiver = receiver;
    this.breathNanos = Duration.ofMillis(settings.lingerMillis()).toNanos();
    this.reader = new TopicReader(settings, Topics.TARGETS, Begin.Latest);
    this.thread = new Thread(this::run, "targets");
    thread.start();
  }

  /** Whether the topic was found and is being read. */
  public boolean following() {
    return following;
  }

  /** How many targets were not read yet, as far as is known. */
  public long lagRecords() {
    return lagRecords;
  }

  private void run() {
    try (reader) {
      while (!closed) {
        follow();
      }
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("stopped to follow targets");
    }
  }

  private void follow() throws InterruptedException {
    try {
      if (!reader.assign()) {
        Thread.sleep(RETRY_MILLIS);
        return;
      }
      long untilNanos = System.nanoTime() + LOOK_FOR_PARTITIONS.toNanos();
      while (!closed && System.nanoTime() < untilNanos) {
        ConsumerRecords<String, byte[]> records = reader.poll();
        deliver(records);
        lagRecords = reader.lagRecords();
        following = true;
        if (records.count() >= MANY) {
          LockSupport.parkNanos(breathNanos);
        }
      }
    } catch (WakeupException e) {
      LOG.debug("woken up to end");
    } catch (KafkaException e) {
      LOG.debug("targets cannot be read, trying again", e);
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private void deliver(ConsumerRecords<String, byte[]> records) throws InterruptedException {
    if (records.isEmpty()) {
      return;
    }
    List<Target> batch = new ArrayList<>(records.count());
    Consumer<Target> add = batch::add;
    records.forEach(record -> decode(record, add));
    receiver.targets(batch);
  }

  private void decode(ConsumerRecord<String, byte[]> record, Consumer<Target> add) {
    try {
      add.accept(TopicReader.target(record.value()));
    } catch (WireException | IllegalArgumentException e) {
      receiver.malformed();
      complain(record, e.getMessage());
    }
  }

  private void complain(ConsumerRecord<String, byte[]> record, String why) {
    long nowNanos = System.nanoTime();
    if (nowNanos - lastComplaintNanos >= Duration.ofMinutes(1).toNanos()) {
      lastComplaintNanos = nowNanos;
      LOG.warn(
          "message at offset {} of {}-{} is no target and was dropped: {}",
          record.offset(),
          record.topic(),
          record.partition(),
          why);
    }
  }

  @Override
  public void close() {
    closed = true;
    reader.wakeup();
    try {
      thread.join(Duration.ofSeconds(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
