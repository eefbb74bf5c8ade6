package io.dynims.flink;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import java.util.List;
import java.util.Locale;

/**
 * Records for tests: threshold 0.95, the law's own gain, capacity 0 to 1,000, interval 100 ms, 2 s.
 */
final class Samples {

  private Samples() {}

  static Policy policy(String node, String tier, Mode mode) {
    return policy(node, tier, mode, LawType.Feedback);
  }

  static Policy policy(String node, String tier, Mode mode, LawType law) {
    return new Policy(
        node,
        tier,
        mode,
        law,
        0.95,
        law.defaultGain(),
        0L,
        null,
        1_000L,
        null,
        null,
        100,
        2_000,
        null);
  }

  static Policy policy(Policy like, long intervalMillis, long staleAfterMillis) {
    return new Policy(
        like.node(),
        like.tier(),
        like.mode(),
        like.law(),
        like.threshold(),
        like.gain(),
        like.minBytes(),
        like.minRatio(),
        like.maxBytes(),
        like.maxRatio(),
        like.memoryBudgetBytes(),
        intervalMillis,
        staleAfterMillis,
        like.onDelete());
  }

  static Ack ack(String node, String tier, long capacityBytes, long usedBytes) {
    return new Ack(
        node, tier, capacityBytes, capacityBytes, usedBytes, AckStatus.Applied, "", 0, 0);
  }

  /** An ack of a full tier whose adapter keeps these hints. */
  static Ack ack(String node, String tier, long capacityBytes, List<Hint> hints) {
    return new Ack(
        node,
        tier,
        capacityBytes,
        capacityBytes,
        capacityBytes,
        null,
        null,
        null,
        AckStatus.Applied,
        "",
        0,
        0,
        hints,
        null,
        null);
  }

  /** What the shipped reader sends. */
  static String collectd(String node, long sampledMillis, long totalBytes, long availableBytes) {
    return String.format(
        Locale.ROOT,
        "[{\"values\":[%d,1,%d,1,1,1,1,1],\"dstypes\":[\"gauge\",\"gauge\",\"gauge\",\"gauge\","
            + "\"gauge\",\"gauge\",\"gauge\",\"gauge\"],\"dsnames\":[\"mem_total\",\"mem_free\","
            + "\"mem_available\",\"buffers\",\"cached\",\"shmem\",\"s_reclaimable\","
            + "\"s_unreclaim\"],\"time\":%.3f,\"interval\":0.100,\"host\":\"%s\","
            + "\"plugin\":\"dynims\",\"plugin_instance\":\"\",\"type\":\"dynims_memory\","
            + "\"type_instance\":\"\"}]",
        totalBytes,
        availableBytes,
        sampledMillis / 1_000.0,
        node);
  }

  /** The same sample of a node that reports by exception. */
  static String byException(String collectd, long heartbeatMillis, long toleranceBytes) {
    String figures =
        String.format(Locale.ROOT, ",0,null,%.1f,%d", heartbeatMillis / 1_000.0, toleranceBytes);
    return collectd
        .replace("],\"dstypes\":[", figures + "],\"dstypes\":[" + "\"gauge\",".repeat(4))
        .replace(
            "\"s_unreclaim\"]",
            "\"s_unreclaim\",\"per_cpu_free\",\"psi_some_micros\",\"heartbeat\",\"tolerance\"]");
  }
}
