package io.dynims.experiments.bench.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.node.SendOnDelta;
import java.nio.ByteBuffer;

/** Encodes samples as collectd with the DynIMS reader sends them. */
final class NodeSamples {

  private static final String NAMES =
      "],\"dstypes\":[\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\","
          + "\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\"],"
          + "\"dsnames\":[\"mem_total\",\"mem_free\",\"mem_available\","
          + "\"buffers\",\"cached\",\"shmem\",\"s_reclaimable\",\"s_unreclaim\","
          + "\"per_cpu_free\",\"psi_some_micros\",\"tier_used\",\"heartbeat\",\"tolerance\"],"
          + "\"time\":";

  /** Tasks have not waited; no tier's directory is measured; every sample is sent. */
  private static final byte[] EVERY_SAMPLE = ",0,null,null,null".getBytes(US_ASCII);

  private static final byte[] OPENING = "[{\"values\":[".getBytes(US_ASCII);
  private static final byte[] MIDDLE = NAMES.getBytes(US_ASCII);
  private static final byte[] HOST = ",\"interval\":0.100,\"host\":\"".getBytes(US_ASCII);
  private static final byte[] CLOSING =
      ("\",\"plugin\":\"dynims\",\"plugin_instance\":\"\",\"type\":\"dynims_memory\","
              + "\"type_instance\":\"\"}]")
          .getBytes(US_ASCII);

  private final ByteBuffer buffer = ByteBuffer.allocate(1_024);
  private final byte[][] names;
  private final byte[] figures;

  /** Samples of nodes that send every one. */
  NodeSamples(int nodes) {
    this(nodes, EVERY_SAMPLE);
  }

  /** Samples of nodes that report by exception, with the agent's defaults. */
  static NodeSamples byException(int nodes) {
    double heartbeatSeconds = SendOnDelta.DEFAULT_HEARTBEAT_MILLIS / 1e3;
    long toleranceBytes = (long) (SendOnDelta.DEFAULT_TOLERANCE * ModelNodes.TOTAL_BYTES);
    String figures = ",0,null," + heartbeatSeconds + "," + toleranceBytes;
    return new NodeSamples(nodes, figures.getBytes(US_ASCII));
  }

  private NodeSamples(int nodes, byte[] figures) {
    this.figures = figures;
    names = new byte[nodes][];
    for (int node = 0; node < nodes; node++) {
      names[node] = name(node).getBytes(US_ASCII);
    }
  }

  static String name(int node) {
    return "node-" + node;
  }

  /** The number of the node at the start of a key. */
  static int number(byte[] key) {
    int number = 0;
    for (int i = "node-".length(); i < key.length && key[i] != '/'; i++) {
      number = number * 10 + key[i] - '0';
    }
    return number;
  }

  /** The message of one sample. */
  byte[] encode(int node, long sampledMillis, long usedBytes) {
    long freeBytes = ModelNodes.TOTAL_BYTES - usedBytes;
    buffer.clear();
    buffer.put(OPENING);
    digits(ModelNodes.TOTAL_BYTES).put((byte) ',');
    digits(freeBytes).put((byte) ',');
    digits(freeBytes);
    for (int i = 0; i < 6; i++) {
      buffer.put((byte) ',').put((byte) '0');
    }
    buffer.put(figures).put(MIDDLE);
    digits(sampledMillis / 1_000).put((byte) '.');
    long millis = sampledMillis % 1_000;
    buffer.put((byte) ('0' + millis / 100));
    buffer.put((byte) ('0' + millis / 10 % 10)).put((byte) ('0' + millis % 10));
    buffer.put(HOST).put(names[node]).put(CLOSING);
    byte[] message = new byte[buffer.position()];
    buffer.flip().get(message);
    return message;
  }

  private ByteBuffer digits(long number) {
    return buffer.put(Long.toString(number).getBytes(US_ASCII));
  }
}
