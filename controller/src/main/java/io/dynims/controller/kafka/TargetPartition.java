package io.dynims.controller.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.TierKey;
import org.apache.kafka.common.utils.Utils;

/** The partition of the target topic to which the job's producer sends a tier's targets. */
public final class TargetPartition {

  private TargetPartition() {}

  /** As Kafka's default partitioner has it, for a topic with so many partitions. */
  public static int of(TierKey key, int partitions) {
    return Utils.toPositive(Utils.murmur2(key.toString().getBytes(UTF_8))) % partitions;
  }
}
