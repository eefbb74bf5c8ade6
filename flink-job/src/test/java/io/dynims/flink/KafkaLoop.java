package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.testing.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What is around the job: a real broker with the topics, and the parts that write and read them.
 */
final class KafkaLoop implements AutoCloseable {

  private final KafkaBroker broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> targets;

  /** Every target that came while one was awaited. */
  final List<Target> seen = new ArrayList<>();

  KafkaLoop() throws Exception {
    broker = KafkaBroker.shared();
    for (String topic : List.of(Topics.METRICS, Topics.ACKS, Topics.TARGETS)) {
      broker.createTopic(topic, 2, Map.of());
    }
    broker.createTopic(Topics.POLICIES, 1, Map.of("cleanup.policy", "compact,delete"));
    Map<String, Object> bootstrap = Map.of("bootstrap.servers", broker.bootstrapServers());
    producer = new KafkaProducer<>(bootstrap, new ByteArraySerializer(), new ByteArraySerializer());
    targets =
        new KafkaConsumer<>(bootstrap, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    targets.assign(
        List.of(new TopicPartition(Topics.TARGETS, 0), new TopicPartition(Topics.TARGETS, 1)));
    targets.seekToBeginning(targets.assignment());
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  void send(Policy policy) throws Exception {
    send(Topics.POLICIES, policy.key().toString(), WireCodec.POLICY.encode(policy));
  }

  void send(Ack ack) throws Exception {
    send(Topics.ACKS, ack.key().toString(), WireCodec.ACK.encode(ack));
  }

  /** Sends without waiting; {@link #flush} waits. */
  void begin(String topic, String key, long timestamp, byte[] value) {
    var unused =
        producer.send(new ProducerRecord<>(topic, null, timestamp, key.getBytes(UTF_8), value));
  }

  void flush() {
    producer.flush();
  }

  void send(String topic, String key, byte[] value) throws Exception {
    producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), value)).get();
  }

  /** Makes the policies sent so far unreadable, so that only state can hold them. */
  void forgetPolicies() throws ExecutionException, InterruptedException {
    try (var admin = broker.admin()) {
      var all = Map.of(new TopicPartition(Topics.POLICIES, 0), RecordsToDelete.beforeOffset(-1));
      admin.deleteRecords(all).all().get();
    }
  }

  /**
   * Sends the ack and fresh samples, as the parts around the job do, until a target of a sample
   * after now comes out.
   */
  Target awaitTarget(String node, Ack ack) {
    long since = System.currentTimeMillis();
    AtomicReference<Target> found = new AtomicReference<>();
    await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              send(ack);
              long now = System.currentTimeMillis();
              byte[] sample = Samples.collectd(node, now, 1_000, 20).getBytes(UTF_8);
              send(Topics.METRICS, node, sample);
              for (var record : targets.poll(Duration.ofMillis(100))) {
                noteIfOf(node, since, record.value(), found);
              }
              return found.get() != null;
            });
    return found.get();
  }

  /** The targets that have come since the last call. */
  List<Target> poll() throws WireException {
    List<Target> fresh = new ArrayList<>();
    for (var record : targets.poll(Duration.ZERO)) {
      fresh.add(WireCodec.TARGET.decode(record.value()));
    }
    return fresh;
  }

  private void noteIfOf(String node, long since, byte[] value, AtomicReference<Target> found)
      throws WireException {
    Target target = WireCodec.TARGET.decode(value);
    seen.add(target);
    if (target.node().equals(node) && target.sampledMillis() >= since) {
      found.set(target);
    }
  }

  @Override
  public void close() throws Exception {
    targets.close();
    producer.close();
    broker.close();
  }
}
