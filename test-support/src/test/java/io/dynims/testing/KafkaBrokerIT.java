package io.dynims.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KafkaBrokerIT {

  @Test
  void keepsItsPortAndItsLogOverARestart() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("t", 1, Map.of());
      send(broker, "before");
      broker.stop();
      broker.restart();
      send(broker, "after");

      try (var consumer =
          new KafkaConsumer<>(
              Map.of(
                  "bootstrap.servers",
                  (Object) broker.bootstrapServers(),
                  "auto.offset.reset",
                  "earliest"),
              new StringDeserializer(),
              new StringDeserializer())) {
        consumer.assign(List.of(new TopicPartition("t", 0)));
        var values = new java.util.ArrayList<String>();
        await()
            .atMost(Duration.ofMinutes(3))
            .until(
                () -> {
                  consumer.poll(Duration.ofMillis(200)).forEach(r -> values.add(r.value()));
                  return values.size() == 2;
                });
        assertThat(values).containsExactly("before", "after");
      }
    }
  }

  /** Over the logs of the first topic, the broker learns late that there is the second one. */
  @Test
  @Timeout(60)
  void theNextTestFindsNoTopicOfTheOneBefore() throws Exception {
    KafkaBroker broker = KafkaBroker.shared();
    broker.createTopic("wide", 300, Map.of());
    broker.createTopic("new", 1, Map.of());

    try (Admin admin = KafkaBroker.shared().admin()) {
      assertThat(admin.listTopics().names().get()).isEmpty();
    }
  }

  private static void send(KafkaBroker broker, String value) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", (Object) broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("t", value)).get();
    }
  }
}
