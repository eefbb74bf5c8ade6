package io.dynims.controller.kafka;

import java.util.HashMap;
import java.util.Map;

/**
 * How Kafka is reached and what topics are created with.
 *
 * @param bootstrapServers as Kafka's clients take it
 * @param client more settings for every client, such as credentials
 * @param lingerMillis how long messages of many nodes wait for one another
 * @param partitions of a topic that is created
 * @param replication of a topic that is created
 */
public record KafkaSettings(
    String bootstrapServers,
    Map<String, String> client,
    int lingerMillis,
    int partitions,
    int replication) {

  /** A client's settings: the site's own, and what the client cannot do without. */
  Map<String, Object> with(Map<String, Object> necessary) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("client.id", "dynims-controller");
    settings.put("reconnect.backoff.max.ms", 1_000);
    settings.putAll(client);
    settings.putAll(necessary);
    settings.put("bootstrap.servers", bootstrapServers);
    return settings;
  }
}
