package io.dynims.core.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads memory readings from collectd's JSON, an array of value lists; value lists of other plugins
 * are skipped. Every sample of every node passes through here, so it parses the bytes as a stream
 * without building a tree. Not thread-safe.
 */
public final class CollectdDecoder {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder().enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER).build();

  private final ValueList valueList = new ValueList();
  private final List<MemoryReading> readings = new ArrayList<>();

  /**
   * Reads a message.
   *
   * @throws WireException when it is not an array of value lists, or a memory value list has a
   *     missing or invalid field; then no reading of the message is passed on
   */
  public void decode(byte[] message, Consumer<MemoryReading> out) throws WireException {
    if (message == null || message.length == 0) {
      throw ValueList.wrong("", "the message is empty");
    }
    readings.clear();
    try (JsonParser json = JSON.createParser(message)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw ValueList.wrong("", "is not an array of value lists");
      }
      while (json.nextToken() == JsonToken.START_OBJECT) {
        valueList.read(json);
        MemoryReading reading = valueList.memoryReading();
        if (reading != null) {
          readings.add(reading);
        }
      }
      if (json.currentToken() != JsonToken.END_ARRAY || json.nextToken() != null) {
        throw ValueList.wrong("", "is not an array of value lists alone");
      }
    } catch (JsonProcessingException e) {
      throw new WireException("", "collectd: not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new WireException("", "collectd: not JSON: " + e.getMessage(), e);
    }
    readings.forEach(out);
  }
}
