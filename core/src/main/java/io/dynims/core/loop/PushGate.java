package io.dynims.core.loop;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

/**
 * Says when one tier's targets are pushed: the latest target wins, pushes keep the policy's pace,
 * and a change within the tolerance waits while the tier is steady. For use by one thread, which
 * asks for the next step only while no request to the tier is under way.
 */
public final class PushGate {

  private static final long LEASE_INTERVALS = 3;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Step IDLE = new Step(Kind.Idle, null, 0, 0);

  /**
   * How the gate behaves, whatever the policy.
   *
   * @param leaseMillis the lease of a push, renewed by the next one; never less than three
   *     intervals of the policy
   * @param heldMillis longest time without a push while the tier is steady; 0 disables suppression
   * @param tolerance greatest change, as a part of M, that a steady tier need not follow at once;
   *     from 0 to 1
   */
  public record Settings(long leaseMillis, long heldMillis, double tolerance) {}

  /** What to do. */
  public enum Kind {
    /** Nothing: no target waits. */
    Idle,
    /** Ask again after {@code waitNanos}. */
    Wait,
    /** Ask the tier what is in force; the policy only recommends. */
    Poll,
    /** Acknowledge what is in force again: the target is as good as reached. */
    Acknowledge,
    /** Push the target with a lease of {@code leaseMillis}. */
    Push
  }

  /** What to do with which target; what the kind does not name is null or 0. */
  public record Step(Kind kind, Target target, long waitNanos, long leaseMillis) {}

  private final Settings settings;
  private Pace pace;
  private long paceMillis;
  private Target waiting;

  /** Whether the last push was answered and what it asked for is in force. */
  private boolean applied;

  /** Whether that answer reported the same as the one before it, within the tolerance. */
  private boolean steady;

  private long capacityBytes;
  private long usedBytes;
  private long pushedNanos;

  /** A gate that nothing has passed. */
  public PushGate(Settings settings) {
    this.settings = settings;
  }

  /** Takes the newest target. A stale one is not pushed, so that the lease runs out. */
  public void offer(Target target) {
    waiting = target.limitedBy() == Limit.Stale ? null : target;
  }

  /** Forgets the target that waits. */
  public void clear() {
    waiting = null;
  }

  /** What to do now. The target of any step but {@code Wait} is no longer waiting. */
  public Step next(Policy policy, long nowMillis, long nowNanos) {
    if (waiting == null) {
      return IDLE;
    }
    long waitNanos = policy.mode() == Mode.Off ? 0 : pace(policy).waitNanos(nowNanos);
    if (waitNanos > 0) {
      return new Step(Kind.Wait, waiting, waitNanos, 0);
    }
    Target target = waiting;
    waiting = null;
    boolean stale = nowMillis - target.sampledMillis() > policy.staleAfterMillis();
    if (stale || policy.mode() == Mode.Off) {
      return IDLE;
    }
    pace.taken(nowNanos);
    if (policy.mode() == Mode.Recommend) {
      return new Step(Kind.Poll, target, 0, 0);
    }
    if (isHeld(target, nowNanos)) {
      return new Step(Kind.Acknowledge, target, 0, 0);
    }
    pushedNanos = nowNanos;
    // A lease must outlive the pause between two pushes, however long the policy makes it.
    long pausesMillis = LEASE_INTERVALS * policy.intervalMillis();
    return new Step(Kind.Push, target, 0, Math.max(settings.leaseMillis(), pausesMillis));
  }

  /**
   * Notes the answer to a push.
   *
   * @param inForce whether the capacity asked for is in force
   * @param newCapacityBytes the capacity in force, if it is the one asked for
   * @param newUsedBytes what the tier's data occupies then
   */
  public void answered(Target target, boolean inForce, long newCapacityBytes, long newUsedBytes) {
    steady =
        inForce
            && applied
            && isNear(capacityBytes, newCapacityBytes, target)
            && isNear(usedBytes, newUsedBytes, target);
    applied = inForce;
    capacityBytes = newCapacityBytes;
    usedBytes = newUsedBytes;
  }

  /**
   * Whether nothing moves and the target is in force within the tolerance. What is held back is not
   * lost: the law is given the capacity in force, so small steps add up until they are pushed.
   */
  private boolean isHeld(Target target, long nowNanos) {
    return steady
        && isNear(capacityBytes, target.desiredBytes(), target)
        && nowNanos - pushedNanos < settings.heldMillis() * NANOS_PER_MILLI;
  }

  private boolean isNear(long oneBytes, long otherBytes, Target target) {
    return Math.abs(oneBytes - otherBytes) <= settings.tolerance() * target.memoryTotalBytes();
  }

  private Pace pace(Policy policy) {
    if (pace == null || paceMillis != policy.intervalMillis()) {
      paceMillis = policy.intervalMillis();
      pace = new Pace(paceMillis * NANOS_PER_MILLI);
    }
    return pace;
  }
}
