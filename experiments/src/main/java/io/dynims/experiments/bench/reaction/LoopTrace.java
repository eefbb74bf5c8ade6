package io.dynims.experiments.bench.reaction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Records every sample, decision and acknowledgement of one node from now on, with the time at
 * which the broker received it. The topics are configured to carry the broker's time.
 */
public final class LoopTrace implements AutoCloseable {

  /** A sample: when it was taken, and when the broker received it; epoch milliseconds. */
  public record Sample(long sampledMillis, long brokerMillis) {}

  /** A decision, and when the broker received it. */
  public record Decision(Target target, long brokerMillis) {}

  private static final Duration POLL = Duration.ofMillis(200);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String node;
  private final KafkaConsumer<String, byte[]> consumer;
  private final Thread thread;
  private final List<Sample> samples = new ArrayList<>();
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Ack> acks = new ArrayList<>();
  private volatile Exception failure;

  /**
   * Begins to record.
   *
   * @param kafka what a Kafka client needs
   * @throws Exception if the broker does not answer
   */
  public LoopTrace(Map<String, Object> kafka, String node) throws Exception {
    this.node = node;
    useBrokerTimestamps(kafka);
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("client.id", "dynims-bench");
    this.consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Stream.of(Topics.METRICS, Topics.TARGETS, Topics.ACKS)
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    this.thread = new Thread(this::poll, "loop-trace");
    thread.setDaemon(true);
    thread.start();
  }

  /** The records of samples between two times, epoch milliseconds. */
  public synchronized Slice between(long fromMillis, long toMillis) throws IOException {
    if (failure != null) {
      throw new IOException("the topics cannot be read: " + failure, failure);
    }
    return new Slice(
        samples.stream().filter(s -> within(s.sampledMillis(), fromMillis, toMillis)).toList(),
        decisions.stream()
            .filter(d -> within(d.target().sampledMillis(), fromMillis, toMillis))
            .toList(),
        acks.stream().filter(a -> within(a.sampledMillis(), fromMillis, toMillis)).toList());
  }

  synchronized Optional<Target> lastTarget() {
    return decisions.isEmpty()
        ? Optional.empty()
        : Optional.of(decisions.get(decisions.size() - 1).target());
  }

  synchronized Optional<Ack> lastAck() {
    return acks.isEmpty() ? Optional.empty() : Optional.of(acks.get(acks.size() - 1));
  }

  @Override
  public void close() throws InterruptedException {
    consumer.wakeup();
    thread.join();
  }

  /** Samples, decisions and acknowledgements of one node, each in order of arrival. */
  public record Slice(List<Sample> samples, List<Decision> decisions, List<Ack> acks) {}

  /** The sampling times in a message of collectd; a message of the stock plugin has several. */
  static List<Long> sampledMillis(byte[] message, String node) throws IOException {
    List<Long> times = new ArrayList<>();
    for (JsonNode list : JSON.readTree(message)) {
      if (list.path("host").asText().equals(node)) {
        times.add(Math.round(list.path("time").asDouble() * 1_000));
      }
    }
    return times.stream().distinct().toList();
  }

  private static void useBrokerTimestamps(Map<String, Object> kafka) throws Exception {
    Collection<AlterConfigOp> change =
        List.of(
            new AlterConfigOp(
                new ConfigEntry("message.timestamp.type", "LogAppendTime"),
                AlterConfigOp.OpType.SET));
    try (Admin admin = Admin.create(kafka)) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, Topics.METRICS), change,
                  new ConfigResource(ConfigResource.Type.TOPIC, Topics.TARGETS), change))
          .all()
          .get();
    }
  }

  private void poll() {
    try (consumer) {
      while (true) {
        for (ConsumerRecord<String, byte[]> message : consumer.poll(POLL)) {
          accept(message);
        }
      }
    } catch (WakeupException e) {
      // Closed.
    } catch (IOException | WireException | RuntimeException e) {
      failure = e;
    }
  }

  private synchronized void accept(ConsumerRecord<String, byte[]> message)
      throws IOException, WireException {
    switch (message.topic()) {
      case Topics.METRICS -> {
        for (long sampledMillis : sampledMillis(message.value(), node)) {
          samples.add(new Sample(sampledMillis, message.timestamp()));
        }
      }
      case Topics.TARGETS -> {
        Target target = WireCodec.TARGET.decode(message.value());
        if (target.node().equals(node)) {
          decisions.add(new Decision(target, message.timestamp()));
        }
      }
      default -> {
        Ack ack = WireCodec.ACK.decode(message.value());
        if (ack.node().equals(node) && ack.status() != AckStatus.Failed) {
          acks.add(ack);
        }
      }
    }
  }

  private static boolean within(long millis, long fromMillis, long toMillis) {
    return millis >= fromMillis && millis <= toMillis;
  }
}
