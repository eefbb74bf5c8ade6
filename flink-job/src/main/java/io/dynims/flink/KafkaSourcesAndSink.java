package io.dynims.flink;

import io.dynims.core.wire.CollectdDecoder;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/** The Kafka sources and the sink of the job. */
final class KafkaSourcesAndSink {

  /** A few hundred targets; a full batch is sent at once. */
  private static final int BATCH_BYTES = 256 << 10;

  private static final int ACKS_FETCH_MIN_BYTES = 100_000;
  private static final int ACKS_FETCH_WAIT_MILLIS = 10;

  private final JobSettings settings;

  KafkaSourcesAndSink(JobSettings settings) {
    this.settings = settings;
  }

  /** Old samples are useless, so the job starts with the next one. */
  LiveSource<MemoryReading> metrics() {
    return live(
        Topics.METRICS,
        new DecodingSchema<>(MemoryReading.class, KafkaSourcesAndSink::collectd),
        settings.fetchMinBytes(),
        settings.fetchWaitMillis());
  }

  private static RecordDecoder<MemoryReading> collectd() {
    CollectdDecoder decoder = new CollectdDecoder();
    return (record, out) -> decoder.decode(record.value(), out);
  }

  /** The topic is compacted, so reading it from the start yields every policy in force. */
  KafkaSource<TierUpdate> policies() {
    return source(
            Topics.POLICIES,
            new DecodingSchema<>(TierUpdate.class, () -> TierUpdateDecoder::policy))
        .setStartingOffsets(OffsetsInitializer.earliest())
        .build();
  }

  /**
   * Acks come at least once a second, so old ones are not needed. An ack is in time if it arrives
   * before the node's next sample, so acks of many nodes are fetched together.
   */
  LiveSource<TierUpdate> acks() {
    return live(
        Topics.ACKS,
        new DecodingSchema<>(TierUpdate.class, () -> TierUpdateDecoder::ack),
        ACKS_FETCH_MIN_BYTES,
        ACKS_FETCH_WAIT_MILLIS);
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

  private <T> LiveSource<T> live(
      String topic, DecodingSchema<T> schema, int fetchMinBytes, int fetchWaitMillis) {
    KafkaSource<T> source =
        source(topic, schema)
            .setStartingOffsets(OffsetsInitializer.latest())
            .setProperty("fetch.min.bytes", Integer.toString(fetchMinBytes))
            .setProperty("fetch.max.wait.ms", Integer.toString(fetchWaitMillis))
            .build();
    return new LiveSource<>(source, schema, settings.kafka(), topic + "-ends");
  }

  private <T> KafkaSourceBuilder<T> source(String topic, DecodingSchema<T> schema) {
    return KafkaSource.<T>builder()
        .setProperties(settings.kafka())
        .setGroupId(settings.group())
        .setClientIdPrefix(topic)
        .setTopics(topic)
        .setDeserializer(schema);
  }
}
