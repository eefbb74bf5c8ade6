package io.dynims.flink;

import io.dynims.core.wire.WireException;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes a Kafka record. */
@FunctionalInterface
interface RecordDecoder<T> extends Serializable {

  /**
   * Decodes a record; emits nothing if any part of it is wrong.
   *
   * @throws WireException naming what is wrong
   */
  void decode(ConsumerRecord<byte[], byte[]> record, Consumer<T> out) throws WireException;
}
