package io.dynims.simulation;

import io.dynims.core.law.Limit;
import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Hosts the loop and the push gate of one node on a trace, with a simulated tier. Within the tick
 * of a row:
 *
 * <ol>
 *   <li>the node is sampled: v is the row's {@code jobBytes} and what the tier holds;
 *   <li>the loop gets the acks and the sample that have come by now, and decides if it is the
 *       tier's turn; if the node left the sample out, it may decide half an interval later;
 *   <li>the gate lets the decision through, at once or later within the tick; from then until the
 *       next row the tier moves towards it.
 * </ol>
 *
 * The last row's tick is as long as the one before it, that of a single row the policy's interval.
 */
public final class Simulation {

  /** Traces may begin at 0, which the loop takes for "never". */
  private static final long EPOCH_MILLIS = 1_000_000_000_000L;

  private final Policy document;
  private final SimulationOptions options;
  private final NodeLoopState state = new NodeLoopState();
  private final NodeLoop loop = new NodeLoop(state, 0, LoopObserver.NONE);
  private final StallModel stall = new StallModel();
  private final Random losses;

  /** Null for a node that sends every sample. */
  private final SendOnDelta exceptions;

  private long sentSamples;

  /** Taken and not yet seen by the loop, the oldest first; empty where one was lost. */
  private final Queue<Optional<MemoryReading>> samples = new ArrayDeque<>();

  /** Sent and not yet seen by the loop, the oldest first. */
  private final Queue<Ack> acks = new ArrayDeque<>();

  /** All that are given, the past ones and those to come. */
  private final List<Hint> hints = new ArrayList<>();

  private Policy policy;
  private PushedStore tier;

  /** The last row, whose tick ends with the one after it; null before the first. */
  private TraceRow last;

  private long durationMillis;

  /**
   * A simulation of one trace.
   *
   * @param document the policy; it is enforced, whatever its mode
   */
  public Simulation(Policy document, SimulationOptions options) {
    this.document = document;
    this.options = options;
    this.losses = new Random(options.link().seed());
    this.exceptions =
        options.reportTolerance() == null
            ? null
            : new SendOnDelta(options.reportTolerance(), SendOnDelta.DEFAULT_HEARTBEAT_MILLIS);
  }

  /** Runs to the end of the trace. */
  public void run(List<TraceRow> trace, Consumer<Tick> out) {
    trace.forEach(row -> accept(row, out));
    finish(out);
  }

  /** Takes the next row; the tick of the row before it is complete with that. */
  public void accept(TraceRow row, Consumer<Tick> out) {
    if (last != null) {
      durationMillis = row.millis() - last.millis();
      out.accept(tick(last));
    }
    last = row;
  }

  /** Completes the last row's tick. */
  public void finish(Consumer<Tick> out) {
    if (last != null) {
      durationMillis = durationMillis == 0 ? document.intervalMillis() : durationMillis;
      out.accept(tick(last));
    }
  }

  private Tick tick(TraceRow row) {
    long nowMillis = EPOCH_MILLIS + row.millis();
    applyPolicy(row, nowMillis);
    long usedBytes = row.jobBytes() + tier.store().heldBytes();
    double utilization = (double) usedBytes / policy.memoryBudgetBytes();
    List<Target> decisions = decide(usedBytes, nowMillis);
    decisions.forEach(tier::offer);
    List<Target> later = passTick(nowMillis, demandBytes(row));
    if (decisions.isEmpty()) {
      decisions = later;
    }
    stall.pass(utilization, durationMillis);
    return new Tick(
        row,
        decisions.isEmpty() ? null : decisions.get(decisions.size() - 1),
        tier.store().capacityBytes(),
        tier.store().heldBytes(),
        utilization,
        policy.threshold(),
        durationMillis,
        new Tick.Totals(
            tier.store().evictedBytes(),
            tier.store().filledBytes(),
            stall.stalledMicros(),
            sentSamples));
  }

  /** Samples the node; the loop gets what has come by now. */
  private List<Target> decide(long usedBytes, long nowMillis) {
    SimulationOptions.Link link = options.link();
    boolean lost = link.lossRatio() > 0 && losses.nextDouble() < link.lossRatio();
    MemoryReading sample = reading(usedBytes, nowMillis);
    MemoryReading sent = exceptions == null ? sample : exceptions.report(sample);
    sentSamples += sent == null ? 0 : 1;
    samples.add(lost ? Optional.empty() : Optional.ofNullable(sent));
    while (acks.size() > link.ackDelayTicks()) {
      loop.onAck(acks.remove(), nowMillis);
    }
    List<Target> decisions = new ArrayList<>();
    while (state.timerMillis != 0 && state.timerMillis <= nowMillis) {
      decisions.addAll(timer(state.timerMillis));
    }
    if (samples.size() > link.delayTicks()) {
      samples.remove().ifPresent(come -> decisions.addAll(loop.onSample(come, nowMillis)));
    }
    return decisions;
  }

  /**
   * Lets the tick's time pass.
   *
   * @return what was decided meanwhile on samples that the node had left out
   */
  private List<Target> passTick(long nowMillis, long demandBytes) {
    long endMillis = nowMillis + durationMillis;
    long atMillis = nowMillis;
    List<Target> decisions = new ArrayList<>();
    while (exceptions != null && state.timerMillis > atMillis && state.timerMillis < endMillis) {
      long timerMillis = state.timerMillis;
      tier.pass(policy, atMillis, timerMillis - atMillis, demandBytes);
      if (options.link().ackDelayTicks() == 0 && tier.isAnswered()) {
        loop.onAck(ack(timerMillis), timerMillis);
      }
      decisions.addAll(timer(timerMillis));
      atMillis = timerMillis;
    }
    tier.pass(policy, atMillis, endMillis - atMillis, demandBytes);
    if (tier.isAnswered()) {
      acks.add(ack(endMillis));
    }
    return decisions;
  }

  /** Fires a timer; a hold for lack of samples is no decision of a row. */
  private List<Target> timer(long nowMillis) {
    List<Target> decisions = loop.onTimer(nowMillis);
    decisions.forEach(tier::offer);
    return decisions.stream().filter(each -> each.limitedBy() != Limit.Stale).toList();
  }

  private long demandBytes(TraceRow row) {
    return row.demandBytes() != null
        ? row.demandBytes()
        : options.tier().demand().of(policy.memoryBudgetBytes());
  }

  /** The node's M is the policy's budget: v may pass it, where a real node would swap or kill. */
  private void applyPolicy(TraceRow row, long nowMillis) {
    Long budgetBytes = document.memoryBudgetBytes();
    long memoryBytes = budgetBytes == null ? row.totalBytes() : budgetBytes;
    if (policy == null || policy.memoryBudgetBytes() != memoryBytes) {
      policy = document.with(Mode.Enforce, document.threshold(), memoryBytes);
      loop.onPolicy(policy, nowMillis);
    }
    if (tier == null) {
      for (SimulatedHint hint : options.hints()) {
        hints.add(hint.hint("hint-" + hints.size(), nowMillis));
      }
      tier = tierAtFirst(memoryBytes, demandBytes(row));
      loop.onAck(ack(nowMillis), nowMillis);
    }
  }

  private PushedStore tierAtFirst(long memoryBytes, long demandBytes) {
    SimulationOptions.Tier given = options.tier();
    long startBytes =
        given.startBytes() == null ? policy.maxBytesOf(memoryBytes) : given.startBytes();
    long usedBytes =
        given.startUsedBytes() == null ? Math.min(startBytes, demandBytes) : given.startUsedBytes();
    return new PushedStore(startBytes, usedBytes, options);
  }

  private MemoryReading reading(long usedBytes, long nowMillis) {
    long roomBytes = Math.max(usedBytes, policy.memoryBudgetBytes());
    return new MemoryReading(
        policy.node(),
        nowMillis,
        MemoryReading.WHOLE,
        roomBytes,
        roomBytes - usedBytes,
        options.link().usedFromAcks()
            ? null
            : new MemoryReading.TierUse(policy.tier(), tier.store().heldBytes()),
        stall.stalledMicros());
  }

  private Ack ack(long nowMillis) {
    long missingBytes = tier.store().capacityBytes() - tier.store().limitBytes();
    return new Ack(
        policy.node(),
        policy.tier(),
        tier.store().limitBytes(),
        tier.store().capacityBytes(),
        tier.store().heldBytes(),
        missingBytes,
        0L,
        null,
        missingBytes == 0 ? AckStatus.Applied : AckStatus.Partial,
        missingBytes == 0 ? "" : missingBytes + " bytes cannot be evicted now",
        tier.answeredMillis(),
        nowMillis,
        hints.stream().filter(hint -> hint.isActive(nowMillis)).toList(),
        null,
        null);
  }
}
