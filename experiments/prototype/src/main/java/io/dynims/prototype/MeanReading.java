package io.dynims.prototype;

import io.dynims.core.wire.MemoryReading;
import org.apache.flink.api.common.functions.AggregateFunction;

/** The mean of a node's readings, at the time of the last of them. */
final class MeanReading
    implements AggregateFunction<MemoryReading, MeanReading.Sum, MemoryReading> {

  private static final long serialVersionUID = 1L;

  /** A POJO by Flink's rules. */
  public static final class Sum {
    public String node;
    public long count;
    public long sampledMillis;
    public long totalBytes;
    public long availableBytes;
  }

  @Override
  public Sum createAccumulator() {
    return new Sum();
  }

  @Override
  public Sum add(MemoryReading reading, Sum sum) {
    sum.node = reading.node();
    sum.count++;
    sum.sampledMillis = Math.max(sum.sampledMillis, reading.sampledMillis());
    sum.totalBytes += reading.totalBytes();
    sum.availableBytes += reading.availableBytes();
    return sum;
  }

  @Override
  public MemoryReading getResult(Sum sum) {
    return new MemoryReading(
        sum.node,
        sum.sampledMillis,
        MemoryReading.WHOLE,
        sum.totalBytes / sum.count,
        sum.availableBytes / sum.count);
  }

  @Override
  public Sum merge(Sum one, Sum other) {
    one.node = one.node == null ? other.node : one.node;
    one.count += other.count;
    one.sampledMillis = Math.max(one.sampledMillis, other.sampledMillis);
    one.totalBytes += other.totalBytes;
    one.availableBytes += other.availableBytes;
    return one;
  }
}
