package io.dynims.flink;

import io.dynims.core.wire.WireException;
import java.time.Clock;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.LoggerFactory;

/** Decodes Kafka records within the source; counts and skips malformed ones, and those too late. */
final class DecodingSchema<T> implements KafkaRecordDeserializationSchema<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final SerializableSupplier<RecordDecoder<T>> decoders;
  private final long latestMillis;
  private transient RecordDecoder<T> decoder;
  private transient MalformedLog malformed;
  private transient Counter late;
  private transient Clock clock;

  /**
   * A schema.
   *
   * @param type the type of the decoded values
   * @param latestMillis the age of a record, by its own timestamp, above which it is not decoded
   * @param decoders creates the decoder on the task that uses it
   */
  DecodingSchema(
      Class<T> type, long latestMillis, SerializableSupplier<RecordDecoder<T>> decoders) {
    this.type = type;
    this.latestMillis = latestMillis;
    this.decoders = decoders;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    decoder = decoders.get();
    clock = Clock.systemUTC();
    late = context.getMetricGroup().counter("lateMessages");
    malformed =
        new MalformedLog(
            context.getMetricGroup().counter("malformedMessages"),
            LoggerFactory.getLogger(DecodingSchema.class),
            clock);
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<T> out) {
    // A producer may set no time, or 0.
    if (record.timestamp() > 0 && clock.millis() - record.timestamp() > latestMillis) {
      late.inc();
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
