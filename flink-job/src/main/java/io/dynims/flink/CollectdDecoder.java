package io.dynims.flink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the memory readings out of collectd's JSON, an array of value lists. Value lists of other
 * plugins are passed over. Every sample of every node comes through here, so it reads the bytes as
 * a stream and makes no tree. Not safe for use by many threads.
 */
final class CollectdDecoder {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  private final ValueList valueList = new ValueList();
  private final List<MemoryReading> readings = new ArrayList<>();

  /** Reads a record of {@code dynims.metrics}. */
  void decode(ConsumerRecord<byte[], byte[]> record, Consumer<MemoryReading> out)
      throws WireException {
    decode(record.value(), out);
  }

  /**
   * Reads a message.
   *
   * @throws WireException when it is no array of value lists, or a memory value list lacks or
   *     misstates a field; nothing of the message is passed on then
   */
  void decode(byte[] message, Consumer<MemoryReading> out) throws WireException {
    if (message == null || message.length == 0) {
      throw wrong("", "the message is empty");
    }
    readings.clear();
    try (JsonParser json = JSON.createParser(message)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw wrong("", "is not an array of value lists");
      }
      while (json.nextToken() == JsonToken.START_OBJECT) {
        valueList.read(json);
        MemoryReading reading = valueList.memoryReading();
        if (reading != null) {
          readings.add(reading);
        }
      }
      if (json.currentToken() != JsonToken.END_ARRAY || json.nextToken() != null) {
        throw wrong("", "is not an array of value lists alone");
      }
    } catch (JsonProcessingException e) {
      throw new WireException("", "collectd: not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new WireException("", "collectd: not JSON: " + e.getMessage(), e);
    }
    readings.forEach(out);
  }

  static WireException wrong(String field, String what) {
    return new WireException(
        field, "collectd: " + (field.isEmpty() ? what : field + ": " + what), null);
  }
}
