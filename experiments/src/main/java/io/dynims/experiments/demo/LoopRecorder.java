package io.dynims.experiments.demo;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records every decision and acknowledgement for one node or tier from now on, from Kafka. */
public final class LoopRecorder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoopRecorder.class);
  private static final Duration POLL = Duration.ofMillis(200);

  /** A tier that lacks no more than this counts as full. */
  private static final long ROOM_BYTES = 64L << 20;

  private final String node;
  private final Predicate<String> tiers;
  private final KafkaConsumer<String, byte[]> consumer;
  private final Thread thread;
  private final List<Target> targets = new ArrayList<>();
  private final List<Ack> acks = new ArrayList<>();

  /**
   * Starts to record all tiers of a node.
   *
   * @param kafka what a Kafka client needs
   */
  public LoopRecorder(Map<String, Object> kafka, String node) {
    this(kafka, node, any -> true);
  }

  /** Starts to record one tier of a node that has several. */
  LoopRecorder(Map<String, Object> kafka, String node, String tier) {
    this(kafka, node, tier::equals);
  }

  private LoopRecorder(Map<String, Object> kafka, String node, Predicate<String> tiers) {
    this.node = node;
    this.tiers = tiers;
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("client.id", "dynims-demo");
    this.consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(Topics.TARGETS, Topics.ACKS)
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    // Resolves the positions now, so that no record written before the first poll is missed.
    partitions.forEach(consumer::position);
    this.thread = MemorySampler.daemon(this::poll, "loop-recorder");
    thread.start();
  }

  /** The decisions on samples between two times, epoch milliseconds. */
  public synchronized List<Target> targets(long fromMillis, long toMillis) {
    return targets.stream()
        .filter(t -> t.sampledMillis() >= fromMillis && t.sampledMillis() <= toMillis)
        .toList();
  }

  /** The acknowledgements between two times, epoch milliseconds. */
  public synchronized List<Ack> acks(long fromMillis, long toMillis) {
    return acks.stream()
        .filter(a -> a.appliedMillis() >= fromMillis && a.appliedMillis() <= toMillis)
        .toList();
  }

  /** The last decision, if there was one. */
  public synchronized Optional<Target> lastTarget() {
    return targets.isEmpty() ? Optional.empty() : Optional.of(targets.get(targets.size() - 1));
  }

  /** The last acknowledgement, if there was one. */
  public synchronized Optional<Ack> lastAck() {
    return acks.isEmpty() ? Optional.empty() : Optional.of(acks.get(acks.size() - 1));
  }

  /**
   * Whether the tier holds about as much as it can.
   *
   * @param readableBytes the size of what is read through the tier
   */
  public boolean isTierFull(long readableBytes) {
    return lastAck()
        .filter(ack -> ack.usedBytes() > Math.min(ack.capacityBytes(), readableBytes) - ROOM_BYTES)
        .isPresent();
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void poll() {
    try (consumer) {
      while (true) {
        consumer.poll(POLL).forEach(this::accept);
      }
    } catch (WakeupException e) {
      // Closed.
    }
  }

  private synchronized void accept(ConsumerRecord<String, byte[]> message) {
    try {
      if (message.topic().equals(Topics.TARGETS)) {
        Target target = WireCodec.TARGET.decode(message.value());
        if (target.node().equals(node) && tiers.test(target.tier())) {
          targets.add(target);
        }
      } else {
        Ack ack = WireCodec.ACK.decode(message.value());
        if (ack.node().equals(node) && tiers.test(ack.tier()) && ack.status() != AckStatus.Failed) {
          acks.add(ack);
        }
      }
    } catch (WireException e) {
      LOG.warn("{} at offset {}: {}", message.topic(), message.offset(), e.getMessage());
    }
  }
}
