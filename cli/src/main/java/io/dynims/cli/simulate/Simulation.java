package io.dynims.cli.simulate;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.wire.Policy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * One node under a policy, tick by tick. Within the tick of a row:
 *
 * <ol>
 *   <li>the node is sampled: v is the row's {@code jobBytes} and what the tier holds;
 *   <li>the law decides, given the capacity in force and the sample of {@code delayTicks} rows ago;
 *       as long as there is none so old, the capacity stays as it is;
 *   <li>the decided capacity is in force, and until the next row's time the tier moves towards it.
 * </ol>
 *
 * The last row's tick is as long as the one before it, that of a single row the policy's interval.
 */
public final class Simulation {

  private record Sample(long usedBytes, long totalBytes) {}

  private final PolicyDocument document;
  private final Rates rates;
  private final int delayTicks;
  private final Long startBytes;

  /** Taken and not yet seen by the law, the oldest first. */
  private final Queue<Sample> samples = new ArrayDeque<>();

  private Policy policy;
  private long policyTotalBytes;
  private SimulatedTier tier;

  /**
   * A simulation of one trace.
   *
   * @param delayTicks how many ticks a sample takes to the law, at least 0
   * @param startBytes the tier's capacity and content at the beginning; null for the policy's
   *     maximum
   */
  public Simulation(PolicyDocument document, Rates rates, int delayTicks, Long startBytes) {
    this.document = document;
    this.rates = rates;
    this.delayTicks = delayTicks;
    this.startBytes = startBytes;
  }

  /**
   * Runs it to the end of the trace.
   *
   * @throws InputException when the trace or the policy on such a node is wrong
   * @throws IOException when the trace cannot be read
   */
  public void run(TraceReader trace, Consumer<Tick> out) throws IOException, InputException {
    TraceRow row = trace.next();
    long durationMillis = 0;
    while (row != null) {
      usePolicyFor(row.totalBytes());
      TraceRow next = trace.next();
      if (next != null) {
        durationMillis = next.millis() - row.millis();
      } else if (durationMillis == 0) {
        durationMillis = policy.intervalMillis();
      }
      out.accept(tick(row, durationMillis));
      row = next;
    }
  }

  private Tick tick(TraceRow row, long durationMillis) {
    Sample sample = new Sample(row.jobBytes() + tier.heldBytes(), row.totalBytes());
    samples.add(sample);
    LawInput now = input(sample);
    CapacityDecision decision =
        samples.size() > delayTicks
            ? policy.decide(input(samples.remove()))
            : CapacityDecision.stale(now, policy.parameters());
    tier.resize(decision.desiredBytes(), durationMillis);
    return new Tick(row, decision, tier.heldBytes(), now.utilization(), durationMillis);
  }

  private LawInput input(Sample sample) {
    return policy.input(tier.capacityBytes(), sample.usedBytes(), sample.totalBytes());
  }

  /** Bounds given as percentages follow the node's memory. */
  private void usePolicyFor(long totalBytes) throws InputException {
    if (policy == null || totalBytes != policyTotalBytes) {
      policy = document.on(totalBytes);
      policyTotalBytes = totalBytes;
    }
    if (tier == null) {
      tier = new SimulatedTier(startBytes == null ? policy.maxBytes() : startBytes, rates);
    }
  }
}
