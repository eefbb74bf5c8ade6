package io.dynims.flink;

import io.dynims.core.wire.WireException;
import java.io.Serializable;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads what a Kafka record says. */
@FunctionalInterface
interface RecordDecoder<T> extends Serializable {

  /**
   * Reads all of a record, or, where any of it is wrong, nothing.
   *
   * @throws WireException naming what is wrong
   */
  void decode(ConsumerRecord<byte[], byte[]> record, Consumer<T> out) throws WireException;
}
