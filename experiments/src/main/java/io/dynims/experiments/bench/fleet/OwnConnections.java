package io.dynims.experiments.bench.fleet;

import io.dynims.core.wire.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * One connection for each node, like collectd: each sample is a request of its own, in the protocol
 * version of collectd's librdkafka, without waiting for an answer. A producer for each node would
 * need several threads for each, so the requests are built with Kafka's internal classes.
 */
final class OwnConnections implements SampleLink {

  private static final short VERSION = 7;
  private static final short NO_ANSWER = 0;
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int LENGTH_BYTES = 4;
  private static final String CLIENT = "collectd";

  private final InetSocketAddress broker;
  private final SocketChannel[] channels;
  private int correlation;

  /**
   * Connects all nodes.
   *
   * @throws IOException if the broker cannot be reached
   */
  OwnConnections(String brokers, int nodes) throws IOException {
    int colon = brokers.lastIndexOf(':');
    broker =
        new InetSocketAddress(
            brokers.substring(0, colon), Integer.parseInt(brokers.substring(colon + 1)));
    channels = new SocketChannel[nodes];
    try {
      for (int node = 0; node < nodes; node++) {
        channels[node] = connect();
      }
    } catch (IOException e) {
      close();
      throw new IOException("cannot connect to the broker at " + brokers, e);
    }
  }

  @Override
  public void send(int node, byte[] sample) {
    try {
      if (channels[node] == null) {
        channels[node] = connect();
      }
      ByteBuffer request = request(sample, ++correlation);
      while (request.hasRemaining()) {
        channels[node].write(request);
      }
    } catch (IOException e) {
      closeQuietly(node);
    }
  }

  /** The bytes of a request. */
  private static ByteBuffer request(byte[] sample, int correlation) {
    var records = MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(sample));
    var topics = new TopicProduceDataCollection(1);
    topics.add(
        new TopicProduceData()
            .setName(Topics.METRICS)
            .setPartitionData(List.of(new PartitionProduceData().setIndex(0).setRecords(records))));
    var data =
        new ProduceRequestData()
            .setAcks(NO_ANSWER)
            .setTimeoutMs(TIMEOUT_MILLIS)
            .setTopicData(topics);
    ByteBuffer body =
        new ProduceRequest(data, VERSION)
            .serializeWithHeader(new RequestHeader(ApiKeys.PRODUCE, VERSION, CLIENT, correlation));
    return ByteBuffer.allocate(LENGTH_BYTES + body.remaining())
        .putInt(body.remaining())
        .put(body)
        .flip();
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(broker);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  private void closeQuietly(int node) {
    try {
      if (channels[node] != null) {
        channels[node].close();
      }
    } catch (IOException e) {
      // The connection is closed anyway.
    }
    channels[node] = null;
  }

  @Override
  public void close() {
    for (int node = 0; node < channels.length; node++) {
      closeQuietly(node);
    }
  }
}
