package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.CollectdDecoder;
import io.dynims.core.wire.WireException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A sample as the shipped collectd reader sends it, through the job's decoder. */
@State(Scope.Thread)
public class Collectd {

  private final CollectdDecoder decoder = new CollectdDecoder();
  private final byte[] sample =
      ("[{\"values\":[125000000000,3200000000,8125000000,120000000,61000000000,56000000000,"
              + "900000000,400000000,52428800,1843984,55834574848],\"dstypes\":[\"gauge\",\"gauge\","
              + "\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\",\"gauge\"],"
              + "\"dsnames\":[\"mem_total\","
              + "\"mem_free\",\"mem_available\",\"buffers\",\"cached\",\"shmem\",\"s_reclaimable\","
              + "\"s_unreclaim\",\"per_cpu_free\",\"psi_some_micros\",\"tier_used\"],"
              + "\"time\":1795000000.123,\"interval\":0.100,"
              + "\"host\":\"node-17.example.org\",\"plugin\":\"dynims\",\"plugin_instance\":\"\","
              + "\"type\":\"dynims_memory\",\"type_instance\":\"alluxio\"}]")
          .getBytes(UTF_8);

  /** Bytes to reading. */
  @Benchmark
  public void decode(Blackhole hole) throws WireException {
    decoder.decode(sample, hole::consume);
  }
}
