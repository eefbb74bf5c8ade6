package io.dynims.cli.simulate;

import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.loop.PushGate;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Hosts the loop and the push gate of one node on a trace, with a simulated tier. Within the tick
 * of a row:
 *
 * <ol>
 *   <li>the node is sampled: v is the row's {@code jobBytes} and what the tier holds;
 *   <li>the loop gets the acks and the sample that have come by now, and decides if it is the
 *       tier's turn;
 *   <li>the gate lets the decision through, at once or later within the tick; from then until the
 *       next row the tier moves towards it.
 * </ol>
 *
 * The last row's tick is as long as the one before it, that of a single row the policy's interval.
 */
public final class Simulation {

  /** Traces may begin at 0, which the loop takes for "never". */
  private static final long EPOCH_MILLIS = 1_000_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long LEASE_MILLIS = 3_000;

  private final Policy document;
  private final SimulationOptions options;
  private final NodeLoopState state = new NodeLoopState();
  private final NodeLoop loop = new NodeLoop(state, 0, LoopObserver.NONE);
  private final PushGate gate;

  /** Taken and not yet seen by the loop, the oldest first. */
  private final Queue<MemoryReading> samples = new ArrayDeque<>();

  /** Sent and not yet seen by the loop, the oldest first. */
  private final Queue<Ack> acks = new ArrayDeque<>();

  private Policy policy;
  private SimulatedTier tier;

  /**
   * A simulation of one trace.
   *
   * @param document the policy; it is enforced, whatever its mode
   */
  public Simulation(Policy document, SimulationOptions options) {
    this.document = document;
    this.options = options;
    this.gate =
        new PushGate(
            new PushGate.Settings(LEASE_MILLIS, options.heldMillis(), options.tolerance()));
  }

  /**
   * Runs to the end of the trace.
   *
   * @throws InputException when the trace is wrong
   * @throws IOException when the trace cannot be read
   */
  public void run(TraceReader trace, Consumer<Tick> out) throws IOException, InputException {
    TraceRow row = trace.next();
    long durationMillis = 0;
    while (row != null) {
      TraceRow next = trace.next();
      if (next != null) {
        durationMillis = next.millis() - row.millis();
      } else if (durationMillis == 0) {
        durationMillis = document.intervalMillis();
      }
      out.accept(tick(row, durationMillis));
      row = next;
    }
  }

  private Tick tick(TraceRow row, long durationMillis) {
    long nowMillis = EPOCH_MILLIS + row.millis();
    applyPolicy(row.totalBytes(), nowMillis);
    long usedBytes = row.jobBytes() + tier.heldBytes();
    samples.add(reading(usedBytes, nowMillis));
    while (acks.size() > options.ackDelayTicks()) {
      loop.onAck(acks.remove(), nowMillis);
    }
    while (state.timerMillis != 0 && state.timerMillis <= nowMillis) {
      loop.onTimer(state.timerMillis).forEach(gate::offer);
    }
    List<Target> decisions =
        samples.size() > options.delayTicks()
            ? loop.onSample(samples.remove(), nowMillis)
            : List.of();
    decisions.forEach(gate::offer);
    pass(nowMillis, durationMillis);
    Target decision = decisions.isEmpty() ? null : decisions.get(0);
    double utilization = (double) usedBytes / policy.memoryBudgetBytes();
    return new Tick(
        row,
        decision,
        tier.capacityBytes(),
        tier.heldBytes(),
        utilization,
        policy.threshold(),
        durationMillis);
  }

  /** Lets the tick's time pass, with a push if the gate has one. */
  private void pass(long nowMillis, long durationMillis) {
    long nowNanos = nowMillis * NANOS_PER_MILLI;
    PushGate.Step step = gate.next(policy, nowMillis, nowNanos);
    long leftMillis = durationMillis;
    if (step.kind() == PushGate.Kind.Wait) {
      long waitMillis = (step.waitNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
      if (waitMillis < durationMillis) {
        tier.pass(waitMillis);
        leftMillis -= waitMillis;
        step = gate.next(policy, nowMillis + waitMillis, nowNanos + waitMillis * NANOS_PER_MILLI);
      }
    }
    Target pushed = step.kind() == PushGate.Kind.Push ? step.target() : null;
    if (pushed != null) {
      tier.resize(pushed.desiredBytes());
    }
    tier.pass(leftMillis);
    if (pushed != null) {
      gate.answered(pushed, true, tier.capacityBytes(), tier.heldBytes());
    }
    acks.add(ack(nowMillis + durationMillis));
  }

  /** The node's M is the policy's budget: v may pass it, where a real node would swap or kill. */
  private void applyPolicy(long totalBytes, long nowMillis) {
    Long budgetBytes = document.memoryBudgetBytes();
    long memoryBytes = budgetBytes == null ? totalBytes : budgetBytes;
    if (policy == null || policy.memoryBudgetBytes() != memoryBytes) {
      policy = PolicyDocument.enforced(document, memoryBytes);
      loop.onPolicy(policy, nowMillis);
    }
    if (tier == null) {
      long startBytes = options.startBytes().orElse(policy.maxBytesOf(memoryBytes));
      tier = new SimulatedTier(startBytes, options.rates());
      loop.onAck(ack(nowMillis), nowMillis);
    }
  }

  private MemoryReading reading(long usedBytes, long nowMillis) {
    long roomBytes = Math.max(usedBytes, policy.memoryBudgetBytes());
    return new MemoryReading(
        policy.node(), nowMillis, MemoryReading.WHOLE, roomBytes, roomBytes - usedBytes);
  }

  private Ack ack(long nowMillis) {
    return new Ack(
        policy.node(),
        policy.tier(),
        tier.capacityBytes(),
        tier.capacityBytes(),
        tier.heldBytes(),
        AckStatus.Applied,
        "",
        nowMillis,
        nowMillis);
  }
}
