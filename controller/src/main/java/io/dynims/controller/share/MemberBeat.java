package io.dynims.controller.share;

import io.dynims.core.wire.WireCodec;
import java.util.List;

/**
 * What a controller that shares the fleet tells the others, several times a second.
 *
 * @param member its name, which no other has and which it has never had before
 * @param readTo the offset of the last beat that it had read; -1 before the first
 * @param holds the partitions that it serves
 * @param claims the partitions that it wants to serve and believes to be free
 * @param leaving whether this is its last beat
 */
public record MemberBeat(
    String member, long readTo, List<Holding> holds, List<Integer> claims, boolean leaving) {

  /** As it is in Kafka. */
  public static final WireCodec<MemberBeat> CODEC = new WireCodec<>(MemberBeat.class);

  /**
   * A partition that the member serves.
   *
   * @param term the offset of the beat whose claim was granted
   */
  public record Holding(int partition, long term) {}

  /** Copies the lists. */
  public MemberBeat {
    holds = List.copyOf(holds);
    claims = List.copyOf(claims);
  }

  /** Whether it says that the member serves a partition. */
  boolean holds(int partition) {
    return holds.stream().anyMatch(each -> each.partition() == partition);
  }
}
