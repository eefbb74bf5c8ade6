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

/** The Kafka sources and the sink of the job. */
final class KafkaSourcesAndSink {

  /** A few hundred targets; a full batch is sent at once. */
  private static final int BATCH_BYTES = 256 << 10;

  /**
   * Metrics that come later than this after they were sent are not even decoded, whatever the
   * policies say: after a pause of the job its way to the newest must be short.
   */
  private static final long LATEST_METRICS_MILLIS = 10_000;

  private final JobSettings settings;

  KafkaSourcesAndSink(JobSettings settings) {
    this.settings = settings;
  }

  /** Old samples are useless, so the job starts with the next one. */
  LiveSource<MemoryReading> metrics() {
    return new LiveSource<>(
        this.<MemoryReading>source(
                Topics.METRICS,
                MemoryReading.class,
                LATEST_METRICS_MILLIS,
                () -> new CollectdDecoder()::decode)
            .setStartingOffsets(OffsetsInitializer.latest())
            .setProperty("fetch.min.bytes", Integer.toString(settings.fetchMinBytes()))
            .setProperty("fetch.max.wait.ms", Integer.toString(settings.fetchWaitMillis()))
            .build());
  }

  /** The topic is compacted, so reading it from the start yields every policy in force. */
  KafkaSource<TierUpdate> policies() {
    return this.<TierUpdate>source(
            Topics.POLICIES, TierUpdate.class, Long.MAX_VALUE, () -> TierUpdateDecoder::policy)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .build();
  }

  /**
   * Acks come at least once a second, so old ones are not needed. An ack is in time if it arrives
   * before the node's next sample, so acks of many nodes are fetched together.
   */
  LiveSource<TierUpdate> acks() {
    return new LiveSource<>(
        this.<TierUpdate>source(
                Topics.ACKS, TierUpdate.class, Long.MAX_VALUE, () -> TierUpdateDecoder::ack)
            .setStartingOffsets(OffsetsInitializer.latest())
            .setProperty("fetch.min.bytes", "100000")
            .setProperty("fetch.max.wait.ms", "10")
            .build());
  }

  /**
   * Sends a target at once. A restart may repeat one, which does no harm because it holds absolute
   * values; exactly-once would show it only after the next checkpoint. While one request is under
   * way the next one fills, so a single node's targets leave at once and those of many in batches.
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
      String topic,
      Class<T> type,
      long latestMillis,
      SerializableSupplier<RecordDecoder<T>> decoders) {
    return KafkaSource.<T>builder()
        .setProperties(settings.kafka())
        .setGroupId(settings.group())
        .setClientIdPrefix(topic)
        .setTopics(topic)
        .setDeserializer(new DecodingSchema<>(type, latestMillis, decoders));
  }
}
