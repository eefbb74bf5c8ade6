package io.dynims.experiments.bench.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.wire.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the acks from Kafka and records which samples they answer, and how soon all nodes have. */
final class AckRecorder implements AutoCloseable {

  /** The goal for the time from a sample to its ack in a large fleet. */
  static final long IN_TIME_MILLIS = 100;

  private static final Duration POLL = Duration.ofMillis(100);
  private static final byte[] FIELD = "\"sampledMillis\":".getBytes(US_ASCII);
  private static final byte[] FAILED = ":\"Failed\"".getBytes(US_ASCII);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Ticks ticks;
  private final Coverage served;
  private final Coverage servedInTime;
  private final Thread thread = new Thread(this::run, "acks");
  private volatile boolean closed;

  /**
   * Starts to read.
   *
   * @param served records the nodes with an ack
   * @param servedInTime records the nodes with an ack that came {@link #IN_TIME_MILLIS} after the
   *     sample or sooner
   */
  AckRecorder(String brokers, Ticks ticks, Coverage served, Coverage servedInTime) {
    this.ticks = ticks;
    this.served = served;
    this.servedInTime = servedInTime;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", brokers,
                "client.id", "acks",
                "max.poll.records", 5_000,
                "fetch.min.bytes", 100_000,
                "fetch.max.wait.ms", 10),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(Topics.ACKS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    thread.start();
  }

  private void run() {
    while (!closed) {
      var records = consumer.poll(POLL);
      long nowMillis = System.currentTimeMillis();
      records.forEach(
          record -> {
            long sampledMillis = sampledMillis(record.value());
            if (sampledMillis > 0 && indexOf(record.value(), FAILED) < 0) {
              int node = NodeSamples.number(record.key());
              ticks.answered(node, sampledMillis, nowMillis);
              served.add(node);
              if (nowMillis - sampledMillis <= IN_TIME_MILLIS) {
                servedInTime.add(node);
              }
            }
          });
    }
  }

  /** Reads only this number, to leave the processors to what is measured. */
  static long sampledMillis(byte[] ack) {
    int at = indexOf(ack, FIELD);
    long millis = 0;
    for (int i = at + FIELD.length;
        at >= 0 && i < ack.length && ack[i] >= '0' && ack[i] <= '9';
        i++) {
      millis = millis * 10 + ack[i] - '0';
    }
    return millis;
  }

  static int indexOf(byte[] text, byte[] part) {
    for (int i = 0; i + part.length <= text.length; i++) {
      if (text[i] == part[0] && isAt(text, i, part)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isAt(byte[] text, int at, byte[] part) {
    for (int i = 1; i < part.length; i++) {
      if (text[at + i] != part[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
    consumer.close();
  }
}
