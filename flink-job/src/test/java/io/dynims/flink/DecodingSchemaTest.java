package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.MetricGroup;
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

  private static final long MINUTE = 60_000;

  private final List<String> decoded = new ArrayList<>();
  private final DecodingSchema<String> schema =
      new DecodingSchema<>(
          String.class,
          MINUTE,
          () -> (record, out) -> out.accept(new String(record.value(), UTF_8)));

  @BeforeEach
  void open() {
    schema.open(
        new DeserializationSchema.InitializationContext() {
          @Override
          public MetricGroup getMetricGroup() {
            return new UnregisteredMetricsGroup();
          }

          @Override
          public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
          }
        });
  }

  @Test
  void decodesNothingThatComesTooLate() {
    long now = System.currentTimeMillis();
    deserialize("old", now - MINUTE - 1);
    deserialize("new", now);
    deserialize("of a clock that is ahead", now + 3_600_000);
    assertThat(decoded).containsExactly("new", "of a clock that is ahead");
  }

  @Test
  void decodesWhatHasNoTime() {
    deserialize("0", 0);
    deserialize("none", ConsumerRecord.NO_TIMESTAMP);
    assertThat(decoded).containsExactly("0", "none");
  }

  private void deserialize(String text, long timestamp) {
    schema.deserialize(
        new ConsumerRecord<>(
            "topic",
            0,
            0,
            timestamp,
            TimestampType.CREATE_TIME,
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
