package io.dynims.core.loop;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;

/**
 * A node with a full tier that follows each decision at once, its loop, and a link that keeps the
 * order of its messages; the loop's clock is the node's. Its memory is twice its policy's budget,
 * so that v tells also how far the budget is overdrawn.
 */
final class SampledNode {

  /** The budget, M. */
  static final long TOTAL_BYTES = 1_000_000_000L;

  static final long TOLERANCE_BYTES = TOTAL_BYTES / 1_000;
  static final long START = 1_700_000_000_000L;

  private static final long NODE_BYTES = 2 * TOTAL_BYTES;

  private final NodeLoopState state = new NodeLoopState();
  private final Map<Refusal, Integer> refusals = new EnumMap<>(Refusal.class);
  private final NodeLoop loop =
      new NodeLoop(
          state,
          START,
          new LoopObserver() {
            @Override
            public void refused(Refusal refusal, int count) {
              if (count > 0) {
                refusals.merge(refusal, count, Integer::sum);
              }
            }
          });
  private final Policy policy;

  /** Null for a node that sends every sample. */
  private final SendOnDelta exceptions;

  private final Queue<Message> messages = new ArrayDeque<>();
  private long arrivedMillis;
  private long capacityBytes;
  private long reportedJobBytes;
  private long holdMillis;
  private long backMillis;
  private int sent;

  private record Message(MemoryReading reading, long arrivesMillis, long jobBytes) {}

  SampledNode(Policy policy, boolean byException) {
    this.policy = policy;
    this.exceptions =
        byException ? new SendOnDelta((double) TOLERANCE_BYTES / NODE_BYTES, 500) : null;
    this.capacityBytes = TOTAL_BYTES / 2;
    loop.onPolicy(policy, START);
    loop.onAck(ack(START, START), START);
  }

  /** Lets time pass until a sample is taken; what is lost is not sent again. */
  void sample(long millis, long jobBytes, boolean lost, long lateMillis) {
    pass(millis);
    MemoryReading sample =
        new MemoryReading(
            policy.node(),
            millis,
            MemoryReading.WHOLE,
            NODE_BYTES,
            NODE_BYTES - jobBytes - capacityBytes,
            new MemoryReading.TierUse(policy.tier(), capacityBytes),
            0L);
    MemoryReading message = exceptions == null ? sample : exceptions.report(sample);
    if (message != null) {
      sent++;
      if (!lost) {
        arrivedMillis = Math.max(arrivedMillis, millis + lateMillis);
        messages.add(new Message(message, arrivedMillis, jobBytes));
      }
    }
  }

  /** Lets time pass: messages arrive, and timers fire. */
  void pass(long untilMillis) {
    while (true) {
      Message next = messages.peek();
      long arrivesMillis = next == null ? Long.MAX_VALUE : next.arrivesMillis();
      long timerMillis = state.timerMillis == 0 ? Long.MAX_VALUE : state.timerMillis;
      if (Math.min(arrivesMillis, timerMillis) > untilMillis) {
        return;
      }
      if (arrivesMillis <= timerMillis) {
        messages.remove();
        reportedJobBytes = next.jobBytes();
        if (state.silent || state.last == null) {
          backMillis = arrivesMillis;
        }
        loop.onSample(next.reading(), arrivesMillis).forEach(t -> follow(t, arrivesMillis));
      } else {
        loop.onTimer(timerMillis).forEach(t -> follow(t, timerMillis));
      }
    }
  }

  private void follow(Target target, long nowMillis) {
    if (state.silent) {
      holdMillis = nowMillis;
      return;
    }
    capacityBytes = target.desiredBytes();
    loop.onAck(ack(target.sampledMillis(), nowMillis), nowMillis);
  }

  private Ack ack(long sampledMillis, long nowMillis) {
    return new Ack(
        policy.node(),
        policy.tier(),
        capacityBytes,
        capacityBytes,
        capacityBytes,
        AckStatus.Applied,
        "",
        sampledMillis,
        nowMillis);
  }

  long capacityBytes() {
    return capacityBytes;
  }

  /** What the jobs held by the last message that has arrived. */
  long reportedJobBytes() {
    return reportedJobBytes;
  }

  /** When that message arrived. */
  long acceptedMillis() {
    return state.acceptedMillis;
  }

  /** When the loop noticed that the node is silent; 0 if it has not. */
  long holdMillis() {
    return holdMillis;
  }

  /** When it was heard of for the first time, or again after a silence. */
  long backMillis() {
    return backMillis;
  }

  int sent() {
    return sent;
  }

  int refused(Refusal refusal) {
    return refusals.getOrDefault(refusal, 0);
  }
}
