package io.dynims.controller.fleet;

import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;

/** Decisions for tests. */
final class Decisions {

  private static final TierKey KEY = new TierKey("n1", "memory");
  private static final long GIB = 1L << 30;

  private Decisions() {}

  /** One at a node of 1,000,000 bytes that comes to this capacity. */
  static Target decision(long decidedMillis, double utilization, long capacityBytes) {
    var law = new FeedbackLaw(new LawParameters(0.95, 0.5, capacityBytes, capacityBytes));
    var input =
        new LawInput(
            capacityBytes, 60, Math.round(utilization * 1_000_000), 1_000_000, decidedMillis - 5);
    var decision = law.decide(input, new NodeModel());
    return Target.of(KEY, decision, "for a test", 7L, decidedMillis);
  }

  /** One as the job makes them, of a node of 128 GiB. */
  static Target real(TierKey key, long decidedMillis, double utilization, long previousBytes) {
    var law = new FeedbackLaw(new LawParameters(0.95, 0.5, 0, 60 * GIB));
    long usedBytes = (long) (utilization * 128 * GIB);
    var decision =
        law.decide(
            new LawInput(previousBytes, previousBytes, usedBytes, 128 * GIB, decidedMillis - 5),
            new NodeModel());
    return Target.of(key, decision, decision.reason(), decidedMillis - 60, decidedMillis);
  }
}
