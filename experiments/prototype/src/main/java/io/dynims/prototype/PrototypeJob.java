package io.dynims.prototype;

import io.dynims.core.wire.MemoryReading;
import io.dynims.flink.DynimsJob;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * The job with the design of the first DynIMS: it decides on the mean of each second, once a
 * watermark one second behind the samples marks the second as complete. Source, law and sink are
 * those of the job, so that only the design differs.
 */
public final class PrototypeJob {

  static final Duration WINDOW = Duration.ofSeconds(1);
  static final Duration LATENESS = Duration.ofSeconds(1);

  private PrototypeJob() {}

  /** Runs as {@link DynimsJob#main} does. */
  public static void main(String[] args) throws Exception {
    DynimsJob.run(args, PrototypeJob::meansOfWindows);
  }

  static DataStream<MemoryReading> meansOfWindows(DataStream<MemoryReading> readings) {
    return readings
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<MemoryReading>forBoundedOutOfOrderness(LATENESS)
                .withTimestampAssigner((reading, recorded) -> reading.sampledMillis()))
        .uid("watermarks")
        .keyBy(MemoryReading::node)
        .window(TumblingEventTimeWindows.of(WINDOW))
        .aggregate(new MeanReading())
        .uid("windows");
  }
}
