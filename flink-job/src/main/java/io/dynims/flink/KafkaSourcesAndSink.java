package io.dynims.flink;

import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.util.function.SerializableSupplier;

/** The topics that the job reads and the one that it writes. */
final class KafkaSourcesAndSink {

  /** Some hundred targets; a full batch does not wait for others. */
  private static final int BATCH_BYTES = 256 << 10;

  private final JobSettings settings;

  KafkaSourcesAndSink(JobSettings settings) {
    this.settings = settings;
  }

  /** Old samples are of no use, so it starts with the next one. */
  KafkaSource<MemoryReading> metrics() {
    return this.<MemoryReading>source(
            Topics.METRICS, MemoryReading.class, () -> new CollectdDecoder()::decode)
        .setStartingOffsets(OffsetsInitializer.latest())
        .setProperty("fetch.min.bytes", Integer.toString(settings.fetchMinBytes()))
        .setProperty("fetch.max.wait.ms", Integer.toString(settings.fetchWaitMillis()))
        .build();
  }

  /** The topic is compacted: from its start it holds every policy in force. */
  KafkaSource<TierUpdate> policies() {
    return this.<TierUpdate>source(
            Topics.POLICIES, TierUpdate.class, () -> TierUpdateDecoder::policy)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .build();
  }

  /**
   * Acks come every second at least, so the next ones say all. They have until the node's next
   * sample, so those of many nodes are fetched together.
   */
  KafkaSource<TierUpdate> acks() {
    return this.<TierUpdate>source(Topics.ACKS, TierUpdate.class, () -> TierUpdateDecoder::ack)
        .setStartingOffsets(OffsetsInitializer.latest())
        .setProperty("fetch.min.bytes", "100000")
        .setProperty("fetch.max.wait.ms", "10")
        .build();
  }

  /**
   * A target is out at once; it may come twice after a restart, which does no harm as it holds
   * absolute values. Exactly-once would show it only with the next checkpoint. While one request is
   * on its way the next one fills: a single node's targets go at once, and those of many together.
   */
  KafkaSink<Target> targets() {
    return KafkaSink.<Target>builder()
        .setKafkaProducerConfig(settings.kafka())
        .setProperty("linger.ms", Integer.toString(settings.lingerMillis()))
        .setProperty("max.in.flight.requests.per.connection", "1")
        .setProperty("batch.size", Integer.toString(BATCH_BYTES))
        .setProperty("client.id", "dynims-targets")
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(new TargetSchema())
        .build();
  }

  private <T> KafkaSourceBuilder<T> source(
      String topic, Class<T> type, SerializableSupplier<RecordDecoder<T>> decoders) {
    return KafkaSource.<T>builder()
        .setProperties(settings.kafka())
        .setGroupId(settings.group())
        .setClientIdPrefix(topic)
        .setTopics(topic)
        .setDeserializer(new DecodingSchema<>(type, decoders));
  }
}
