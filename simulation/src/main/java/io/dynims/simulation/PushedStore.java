package io.dynims.simulation;

import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

/** Hosts the push gate of a simulated store; at most one push is unanswered. */
final class PushedStore {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long LEASE_MILLIS = 3_000;

  private final VirtualTime time = new VirtualTime();
  private final PushGate gate;
  private final SimulatedStore store;
  private final long answerMillis;

  /** The push that the store has not answered; null for none. */
  private Target pushed;

  /** When it answers. */
  private long dueMillis;

  private long answeredMillis;

  /**
   * A store that nothing was pushed to.
   *
   * @param limitBytes its limit at first, at least 0
   * @param heldBytes what it holds at first, at least 0
   */
  PushedStore(long limitBytes, long heldBytes, SimulationOptions options) {
    SimulationOptions.Tier tier = options.tier();
    this.store = SimulatedStore.unbounded(time, tier.rates(), limitBytes, heldBytes);
    this.store.lock(tier.lockedBytes());
    this.answerMillis = tier.answerMillis();
    this.gate =
        new PushGate(
            new PushGate.Settings(LEASE_MILLIS, options.heldMillis(), options.tolerance()));
  }

  SimulatedStore store() {
    return store;
  }

  /** Whether the last push is answered. */
  boolean isAnswered() {
    return pushed == null;
  }

  /** The time of the sample behind what was answered last; 0 before that. */
  long answeredMillis() {
    return answeredMillis;
  }

  void offer(Target target) {
    gate.offer(target);
  }

  /**
   * Lets time pass, with a push if the gate has one and no other one is unanswered.
   *
   * @param demandBytes what the data set could occupy meanwhile
   */
  void pass(Policy policy, long nowMillis, long forMillis, long demandBytes) {
    store.demand(demandBytes);
    long endMillis = nowMillis + forMillis;
    long startMillis = nowMillis;
    if (pushed != null) {
      startMillis = Math.min(endMillis, dueMillis);
      pass(startMillis - nowMillis);
      if (dueMillis > endMillis) {
        return;
      }
      answer();
    }
    push(policy, startMillis, endMillis);
    if (pushed != null && dueMillis <= endMillis) {
      answer();
    }
  }

  /** Pushes what the gate has, and lets the rest of the time pass. */
  private void push(Policy policy, long nowMillis, long endMillis) {
    long atMillis = nowMillis;
    PushGate.Step step = gate.next(policy, atMillis, atMillis * NANOS_PER_MILLI);
    if (step.kind() == PushGate.Kind.Poll) {
      gate.told(store.capacityBytes());
      step = gate.next(policy, atMillis, atMillis * NANOS_PER_MILLI);
    }
    if (step.kind() == PushGate.Kind.Wait) {
      long waitMillis = (step.waitNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
      if (atMillis + waitMillis < endMillis) {
        pass(waitMillis);
        atMillis += waitMillis;
        step = gate.next(policy, atMillis, atMillis * NANOS_PER_MILLI);
      }
    }
    if (step.kind() == PushGate.Kind.Acknowledge) {
      answeredMillis = step.target().sampledMillis();
    } else if (step.kind() == PushGate.Kind.Push) {
      pushed = step.target();
      store.limit(pushed.desiredBytes());
      long freeingMillis = Math.min(answerMillis, store.freeingMillis());
      dueMillis = Math.max(endMillis, atMillis + freeingMillis);
    }
    pass(endMillis - atMillis);
  }

  /** Answers the last push; one that has no time to lose is answered at the end of a tick. */
  private void answer() {
    boolean applied = store.capacityBytes() == store.limitBytes();
    answeredMillis = pushed.sampledMillis();
    gate.answered(pushed, applied, store.capacityBytes(), store.heldBytes());
    pushed = null;
  }

  private void pass(long millis) {
    time.runUntil(time.millis() + millis);
  }
}
