package io.dynims.controller.kafka;

import java.util.HashMap;
import java.util.Map;

/**
 * How to reach Kafka, and how to create missing topics.
 *
 * @param bootstrapServers in the form Kafka's clients expect
 * @param client further properties for every client, such as credentials
 * @param lingerMillis how long messages of many nodes wait to be sent or read together
 * @param partitions of a topic that the controller creates
 * @param replication replication factor of a topic that the controller creates
 */
public record KafkaSettings(
    String bootstrapServers,
    Map<String, String> client,
    int lingerMillis,
    int partitions,
    int replication) {

  /** The longest time that messages wait for one another. */
  public static final int MAX_LINGER_MILLIS = 100;

  /** Checks the values. */
  public KafkaSettings {
    client = Map.copyOf(client);
    if (lingerMillis < 0 || lingerMillis > MAX_LINGER_MILLIS) {
      throw new IllegalArgumentException(
          lingerMillis + " ms is not from 0 to " + MAX_LINGER_MILLIS + " ms");
    }
  }

  /** A client's settings: the site's own, overridden by those that the client requires. */
  Map<String, Object> with(Map<String, Object> required) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("client.id", "dynims-controller");
    settings.put("reconnect.backoff.max.ms", 1_000);
    settings.putAll(client);
    settings.putAll(required);
    settings.put("bootstrap.servers", bootstrapServers);
    return settings;
  }
}
