package io.dynims.flink;

import io.dynims.core.wire.WireException;
import java.time.Clock;
import java.util.function.Predicate;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.LoggerFactory;

/** Decodes Kafka records within the source; counts and skips malformed and outdated ones. */
final class DecodingSchema<T> implements KafkaRecordDeserializationSchema<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final SerializableSupplier<RecordDecoder<T>> decoders;
  private transient RecordDecoder<T> decoder;
  private transient MalformedLog malformed;
  private transient Counter skipped;
  private transient Predicate<ConsumerRecord<byte[], byte[]>> outdated;

  /**
   * A schema.
   *
   * @param type the type of the decoded values
   * @param decoders creates the decoder on the task that uses it
   */
  DecodingSchema(Class<T> type, SerializableSupplier<RecordDecoder<T>> decoders) {
    this.type = type;
    this.decoders = decoders;
  }

  /** Skips such records from now on, on this task. */
  void skip(Predicate<ConsumerRecord<byte[], byte[]>> records) {
    outdated = records;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    decoder = decoders.get();
    skipped = context.getMetricGroup().counter("skippedMessages");
    malformed =
        new MalformedLog(
            context.getMetricGroup().counter("malformedMessages"),
            LoggerFactory.getLogger(DecodingSchema.class),
            Clock.systemUTC());
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<T> out) {
    if (outdated != null && outdated.test(record)) {
      skipped.inc();
      return;
    }
    try {
      decoder.decode(record, out::collect);
    } catch (WireException e) {
      malformed.note(record, e);
    }
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return TypeInformation.of(type);
  }
}
