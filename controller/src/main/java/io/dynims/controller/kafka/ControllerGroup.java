package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.controller.share.MemberBeat;
import io.dynims.controller.share.PartitionShare;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireException;
import io.dynims.runtime.log.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Shares the partitions of the target topic with other controllers, over the topic {@code
 * dynims.controllers} and on its own thread; {@link PartitionShare} says how.
 */
public final class ControllerGroup implements AutoCloseable {

  /** Receives what this controller serves, on the group's thread. */
  public interface Listener {

    /**
     * Serves these partitions from now on, and no others; returns when that is so.
     *
     * @param held the partitions, with the term for each
     * @param partitions how many there are in all
     */
    void serve(Map<Integer, Long> held, int partitions) throws InterruptedException;
  }

  private record Served(Map<Integer, Long> held, int partitions) {}

  private static final Logger LOG = LogManager.getLogger(ControllerGroup.class);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final long RETRY_MILLIS = 500;
  private static final long LOG_PERIOD_MILLIS = 60_000;
  private static final long STOP_MILLIS = 2_000;

  private final KafkaSettings settings;
  private final String name;
  private final PartitionShare share;
  private final IntSupplier partitions;
  private final BooleanSupplier alive;
  private final Listener listener;
  private final DroppingProducer producer;
  private final RateLimit failureLog = new RateLimit(LOG_PERIOD_MILLIS);
  private final Thread thread = new Thread(this::run, "controller-group");
  private Served served = new Served(Map.of(), 0);
  private volatile boolean closed;
  private volatile TopicReader reader;

  /**
   * Takes part from now on.
   *
   * @param name this controller's name, which no other ever had
   * @param partitions the number of partitions of the target topic; 0 if it is not known yet
   * @param alive whether this controller can serve anything now; while it cannot, others take over
   */
  public ControllerGroup(
      KafkaSettings settings,
      String name,
      IntSupplier partitions,
      BooleanSupplier alive,
      Listener listener) {
    this.settings = settings;
    this.name = name;
    this.share = new PartitionShare(name);
    this.partitions = partitions;
    this.alive = alive;
    this.listener = listener;
    this.producer =
        new DroppingProducer(
            settings,
            Map.of(
                "max.block.ms",
                0,
                "linger.ms",
                0,
                "acks",
                "1",
                "enable.idempotence",
                false,
                "max.in.flight.requests.per.connection",
                1, // Beats must not overtake one another.
                "request.timeout.ms",
                1_000,
                "delivery.timeout.ms",
                1_500),
            () -> {});
    thread.start();
  }

  private void run() {
    try (producer) {
      while (!closed) {
        takePart();
      }
      MemberBeat last = share.leave();
      report();
      send(last);
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("not sharing the fleet any more: shutting down");
    }
  }

  /** Takes part until it is closed or Kafka fails; what it serves stays as it is then. */
  private void takePart() throws InterruptedException {
    try (TopicReader beats = SharedLog.open(settings, Topics.CONTROLLERS)) {
      reader = beats;
      while (!closed) {
        beats.poll(POLL).forEach(this::read);
        act();
      }
    } catch (WakeupException e) {
      LOG.debug("reading interrupted: shutting down");
    } catch (RuntimeException | ExecutionException e) {
      // Of any kind: if this thread ended, this controller would keep what others serve.
      if (failureLog.permit(NANOSECONDS.toMillis(System.nanoTime()))) {
        LOG.warn("cannot read {}, retrying: {}", Topics.CONTROLLERS, e.toString());
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private void read(ConsumerRecord<String, byte[]> beat) {
    try {
      share.onBeat(beat.offset(), MemberBeat.CODEC.decode(beat.value()), System.nanoTime());
    } catch (WireException e) {
      LOG.debug("skipped a malformed message of {}", Topics.CONTROLLERS, e);
    }
  }

  private void act() throws InterruptedException {
    if (!alive.getAsBoolean()) {
      report();
      return;
    }
    Optional<MemberBeat> next = share.next(partitions.getAsInt(), System.nanoTime());
    report(); // Before others read what has been given up.
    next.ifPresent(this::send);
  }

  private void report() throws InterruptedException {
    Served now = new Served(share.held(), partitions.getAsInt());
    if (!now.equals(served)) {
      listener.serve(now.held(), now.partitions());
      LOG.info(
          "{} serves the partitions {} of {}; controllers: {}",
          name,
          now.held().keySet(),
          now.partitions(),
          share.members());
      served = now;
    }
  }

  private void send(MemberBeat beat) {
    producer.send(new ProducerRecord<>(Topics.CONTROLLERS, name, MemberBeat.CODEC.encode(beat)));
  }

  /** Stops serving, and tells the others, so that they need not wait until its lease expires. */
  @Override
  public void close() {
    closed = true;
    TopicReader.stop(thread, reader, STOP_MILLIS);
  }
}
