package io.dynims.torture.world;

import io.dynims.core.wire.CollectdDecoder;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How messages of a kind are sent. */
interface Coding<T> {

  /** The message's bytes. */
  byte[] encode(T message);

  /** What a receiver reads in bytes. */
  List<T> decode(byte[] message) throws WireException;

  /** Messages of a codec. */
  static <T> Coding<T> of(WireCodec<T> codec) {
    return new Coding<>() {
      @Override
      public byte[] encode(T message) {
        return codec.encode(message);
      }

      @Override
      public List<T> decode(byte[] message) throws WireException {
        return List.of(codec.decode(message));
      }
    };
  }

  /** Collectd's messages of a node's memory. */
  static Coding<MemoryReading> collectd() {
    CollectdDecoder decoder = new CollectdDecoder();
    return new Coding<>() {
      @Override
      public byte[] encode(MemoryReading reading) {
        return text(reading).getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public List<MemoryReading> decode(byte[] message) throws WireException {
        List<MemoryReading> readings = new ArrayList<>();
        decoder.decode(message, readings::add);
        return readings;
      }
    };
  }

  private static String text(MemoryReading reading) {
    String head =
        String.format(
            Locale.ROOT,
            "[{\"time\":%d.%03d,\"interval\":0.100,\"host\":\"%s\",\"plugin_instance\":\"\",",
            reading.sampledMillis() / 1_000,
            reading.sampledMillis() % 1_000,
            reading.node());
    return head + (reading.isStock() ? stock(reading) : shipped(reading)) + "}]";
  }

  private static String shipped(MemoryReading reading) {
    var tier = reading.tierUse();
    return ("\"plugin\":\"dynims\",\"type\":\"dynims_memory\",\"type_instance\":\"%s\","
            + "\"dsnames\":[\"mem_total\",\"mem_available\",\"tier_used\",\"psi_some_micros\","
            + "\"heartbeat\",\"tolerance\"],\"values\":[%d,%d,%d,%d,%s,%d]")
        .formatted(
            tier == null ? "" : tier.tier(),
            reading.totalBytes(),
            reading.availableBytes(),
            tier == null ? null : tier.usedBytes(),
            reading.stalledMicros(),
            reading.heartbeatMillis() / 1e3,
            reading.toleranceBytes());
  }

  private static String stock(MemoryReading part) {
    String name =
        switch (Integer.numberOfTrailingZeros(part.parts())) {
          case 0 -> "used";
          case 1 -> "free";
          case 2 -> "buffered";
          case 3 -> "cached";
          case 4 -> "slab_recl";
          default -> "slab_unrecl";
        };
    return "\"plugin\":\"memory\",\"type\":\"memory\",\"type_instance\":\"%s\",\"values\":[%d]"
        .formatted(name, part.totalBytes());
  }
}
