package io.dynims.experiments.bench.fleet;

import io.dynims.core.wire.Topics;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One connection for all nodes, with samples in batches. */
final class SharedConnection implements SampleLink {

  private final KafkaProducer<byte[], byte[]> producer;

  SharedConnection(String brokers) {
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                brokers,
                "client.id",
                "nodes",
                "acks",
                "1",
                "enable.idempotence",
                false,
                "linger.ms",
                1,
                "batch.size",
                256 << 10),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void send(int node, byte[] sample) {
    var unusedFuture = producer.send(new ProducerRecord<>(Topics.METRICS, sample));
  }

  @Override
  public void close() {
    producer.close();
  }
}
