package io.dynims.jmh;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.FeedbackLaw;
import io.dynims.core.law.ForecastLaw;
import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Policy;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The law with inputs that differ from call to call, so that branches vary. */
@State(Scope.Thread)
public class Law {

  private static final int INPUTS = 1 << 12;

  private final Policy policy = Records.POLICY;
  private final FeedbackLaw law = new FeedbackLaw(policy.parameters(Records.TOTAL_BYTES));
  private long sampledMillis;
  private final LawInput[] inputs =
      new Random(1)
          .longs(INPUTS, 0, Records.TOTAL_BYTES)
          .mapToObj(v -> new LawInput(v / 2, v / 2, v, Records.TOTAL_BYTES, sampledMillis += 100))
          .toArray(LawInput[]::new);
  private final ForecastLaw forecast =
      new ForecastLaw(
          new LawParameters(0.95, 0.75, 0, 60_000_000_000L, ForecastParameters.defaults(100)));
  private final NodeModel model = new NodeModel();
  private int next;

  private LawInput input() {
    next = (next + 1) & (INPUTS - 1);
    return inputs[next];
  }

  /** Equation 1 alone. */
  @Benchmark
  public CapacityDecision decide() {
    return law.decide(input(), new NodeModel());
  }

  /** The model-based law, with what it remembers from one sample to the next. */
  @Benchmark
  public CapacityDecision decideByForecast() {
    return forecast.decide(input(), model);
  }

  /** What the job does at each tick: from the policy and the memory to the decision. */
  @Benchmark
  public CapacityDecision decideByPolicy() {
    LawInput input = input();
    return policy.decide(
        new LawInput(
            input.capacityBytes(),
            input.tier().usedBytes(),
            input.memoryUsedBytes(),
            policy.memoryTotalBytes(input.memoryTotalBytes()),
            input.sampledMillis()),
        new NodeModel());
  }
}
