package io.dynims.experiments.demo;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The memory in use on a node that is neither the tier's nor the job's: that of other programs of
 * the machine. Means over a second even out that these are not read at the same instant.
 *
 * @param rangeBytes how far it moved
 * @param maxUsedBytes the maximum memory in use on the node, but for what the others have grown by
 *     since the beginning
 * @param mostBytes their maximum
 * @param grownBytes by how much more they hold at the end than at the beginning; may be negative
 */
public record OthersMemory(long rangeBytes, long maxUsedBytes, long mostBytes, long grownBytes) {

  private static final long WINDOW_MILLIS = 1_000;

  /**
   * What a measurement saw.
   *
   * @param node the memory in use on the node, with samples in that time
   * @param ownBytes what the tier and the job hold at a time
   */
  public static OthersMemory of(
      UtilizationTrace node, LongUnaryOperator ownBytes, long fromMillis, long toMillis) {
    long atFirst = Long.MIN_VALUE;
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    long maxUsed = 0;
    long atLast = 0;
    for (long from = fromMillis; from <= toMillis; from += WINDOW_MILLIS) {
      long to = Math.min(toMillis, from + WINDOW_MILLIS - 1);
      List<UtilizationTrace.Sample> window = node.between(from, to);
      if (!window.isEmpty()) {
        long others = othersBytes(window, ownBytes);
        atFirst = atFirst == Long.MIN_VALUE ? others : atFirst;
        atLast = others;
        least = Math.min(least, others);
        most = Math.max(most, others);
        maxUsed = Math.max(maxUsed, node.maxUsedBytes(from, to) - Math.max(0, others - atFirst));
      }
    }
    return atFirst == Long.MIN_VALUE
        ? new OthersMemory(0, 0, 0, 0)
        : new OthersMemory(most - least, maxUsed, most, atLast - atFirst);
  }

  private static long othersBytes(
      List<UtilizationTrace.Sample> window, LongUnaryOperator ownBytes) {
    return (long)
        window.stream()
            .mapToLong(sample -> sample.usedBytes() - ownBytes.applyAsLong(sample.millis()))
            .average()
            .orElseThrow();
  }
}
