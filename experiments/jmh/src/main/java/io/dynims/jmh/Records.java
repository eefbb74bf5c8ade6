package io.dynims.jmh;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawType;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

/** Records with the values of a node of the paper. */
final class Records {

  static final long TOTAL_BYTES = 125_000_000_000L;

  static final Policy POLICY =
      new Policy(
          "node-17.example.org",
          "alluxio",
          Mode.Enforce,
          LawType.Feedback,
          0.95,
          0.5,
          0L,
          null,
          60_000_000_000L,
          null,
          null,
          100,
          2_000,
          OnDelete.Release);

  private static final long SAMPLED_MILLIS = 1_795_000_000_123L;

  static final Ack ACK =
      new Ack(
          POLICY.node(),
          POLICY.tier(),
          56_710_526_316L,
          56_710_526_316L,
          55_834_574_848L,
          AckStatus.Applied,
          "",
          SAMPLED_MILLIS,
          SAMPLED_MILLIS + 14);

  static final Target TARGET = target();

  private Records() {}

  private static Target target() {
    LawInput input =
        new LawInput(
            56_710_526_316L, ACK.usedBytes(), 121_710_526_316L, TOTAL_BYTES, SAMPLED_MILLIS);
    CapacityDecision decision = POLICY.decide(input, new NodeModel());
    return Target.of(
        POLICY.key(), decision, decision.reason(), ACK.appliedMillis(), SAMPLED_MILLIS + 4);
  }
}
