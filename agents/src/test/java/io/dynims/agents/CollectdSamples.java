package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.wire.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** All value lists that have arrived in the metrics topic. */
final class CollectdSamples implements AutoCloseable {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration AT_MOST = Duration.ofSeconds(60);

  private final List<JsonNode> lists = new ArrayList<>();
  private final Set<String> keys = new HashSet<>();
  private final KafkaConsumer<String, byte[]> consumer;

  CollectdSamples(String bootstrapServers) {
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partition = List.of(new TopicPartition(Topics.METRICS, 0));
    consumer.assign(partition);
    consumer.seekToBeginning(partition);
  }

  /** Waits for a number of further value lists. */
  void awaitMore(int count) throws IOException {
    int wanted = lists.size() + count;
    long deadlineNanos = System.nanoTime() + AT_MOST.toNanos();
    while (lists.size() < wanted) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError(lists.size() + " value lists have arrived instead of " + wanted);
      }
      for (ConsumerRecord<String, byte[]> message : consumer.poll(Duration.ofMillis(100))) {
        keys.add(message.key());
        MAPPER.readTree(message.value()).forEach(lists::add);
      }
    }
  }

  List<JsonNode> all() {
    return List.copyOf(lists);
  }

  JsonNode newest() {
    return lists.get(lists.size() - 1);
  }

  Set<String> keys() {
    return keys;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** A value without its fraction; fails if it is unknown, which is null in JSON. */
  static long value(JsonNode list, String name) {
    return (long) number(list, name);
  }

  /** A value; fails if it is unknown. */
  static double number(JsonNode list, String name) {
    JsonNode value = list.get("values").get(texts(list.get("dsnames")).indexOf(name));
    assertThat(value.isNumber()).as("%s is known in %s", name, list).isTrue();
    return value.asDouble();
  }

  /** Whether a value is there, and null. */
  static boolean isUnknown(JsonNode list, String name) {
    return list.get("values").get(texts(list.get("dsnames")).indexOf(name)).isNull();
  }

  static long timeMillis(JsonNode list) {
    return Math.round(list.get("time").asDouble() * 1000);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
