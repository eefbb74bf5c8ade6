package io.dynims.jmh;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The records on the wire, to JSON and back. */
@State(Scope.Thread)
public class Codec {

  private final Target target = Records.TARGET;
  private final Ack ack = Records.ACK;
  private final Policy policy = Records.POLICY;
  private final CapacityDecision decision =
      policy.decide(
          new LawInput(
              target.previousBytes(),
              target.tierUsedBytes(),
              target.memoryUsedBytes(),
              Records.TOTAL_BYTES,
              target.sampledMillis()),
          new NodeModel());
  private final byte[] targetJson = WireCodec.TARGET.encode(target);
  private final byte[] ackJson = WireCodec.ACK.encode(ack);
  private final byte[] policyJson = WireCodec.POLICY.encode(policy);

  @Benchmark
  public byte[] encodeTarget() {
    return WireCodec.TARGET.encode(target);
  }

  @Benchmark
  public Target decodeTarget() throws WireException {
    return WireCodec.TARGET.decode(targetJson);
  }

  @Benchmark
  public byte[] encodeAck() {
    return WireCodec.ACK.encode(ack);
  }

  @Benchmark
  public Ack decodeAck() throws WireException {
    return WireCodec.ACK.decode(ackJson);
  }

  @Benchmark
  public byte[] encodePolicy() {
    return WireCodec.POLICY.encode(policy);
  }

  @Benchmark
  public Policy decodePolicy() throws WireException {
    return WireCodec.POLICY.decode(policyJson);
  }

  /** The sentence that each target carries. */
  @Benchmark
  public String writeReason() {
    return decision.reason();
  }
}
