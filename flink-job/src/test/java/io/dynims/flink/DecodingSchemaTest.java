package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.Collector;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecodingSchemaTest {

  private final List<String> decoded = new ArrayList<>();
  private final SimpleCounter skipped = new SimpleCounter();
  private final DecodingSchema<String> schema =
      new DecodingSchema<>(
          String.class, () -> (record, out) -> out.accept(new String(record.value(), UTF_8)));

  @BeforeEach
  void open() {
    schema.open(
        new DeserializationSchema.InitializationContext() {
          @Override
          public MetricGroup getMetricGroup() {
            return new UnregisteredMetricsGroup() {
              @Override
              public Counter counter(String name) {
                return name.equals("skippedMessages") ? skipped : super.counter(name);
              }
            };
          }

          @Override
          public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
          }
        });
  }

  @Test
  void decodesAndCountsNothingOfWhatIsToBeSkipped() {
    deserialize("before anybody said what to skip", 1);
    schema.skip(record -> record.offset() < 10);
    deserialize("outdated", 9);
    deserialize("new", 10);
    assertThat(decoded).containsExactly("before anybody said what to skip", "new");
    assertThat(skipped.getCount()).isEqualTo(1);
  }

  private void deserialize(String text, long offset) {
    schema.deserialize(
        new ConsumerRecord<>(
            "topic",
            0,
            offset,
            ConsumerRecord.NO_TIMESTAMP,
            TimestampType.NO_TIMESTAMP_TYPE,
            0,
            0,
            null,
            text.getBytes(UTF_8),
            new RecordHeaders(),
            Optional.empty()),
        new Collector<>() {
          @Override
          public void collect(String value) {
            decoded.add(value);
          }

          @Override
          public void close() {}
        });
  }
}
