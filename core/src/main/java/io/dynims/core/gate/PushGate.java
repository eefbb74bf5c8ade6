package io.dynims.core.gate;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;

/**
 * Says when one tier's targets are pushed: the latest target wins, pushes keep the policy's pace,
 * and a change within the tolerance waits while the tier is steady. For use by one thread, which
 * asks for the next step only while no request to the tier is under way.
 *
 * <p>The gate never grows a tier without knowing what is in force. The host reports what ends each
 * request: {@link #answered} and {@link #failed} of a push, {@link #told} of a poll. At first, and
 * when the last lease may have run out, another may have moved the capacity: any target waits for a
 * poll. After a failed push only one that grows does, as the tier may be as large as it was.
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
    /** Ask the tier what is in force, as it must be known before the target may be pushed. */
    Poll,
    /** Acknowledge what is in force again: the target is as good as reached. */
    Acknowledge,
    /** Push the target with a lease of {@code leaseMillis}. */
    Push
  }

  /** What to do with which target; what the kind does not name is null or 0. */
  public record Step(Kind kind, Target target, long waitNanos, long leaseMillis) {}

  /** What the gate knows of the capacity in force. */
  private enum Known {
    /** Nothing. */
    Nothing,
    /** It may be less than the gate knows: a push failed. */
    AtMost,
    /** The tier told it, and may not have told the job yet. */
    Told,
    /** It is what the last push made it. */
    Pushed
  }

  private final Settings settings;
  private Pace pace;
  private long paceMillis;
  private Target waiting;

  /** The target that the last poll was for. */
  private Target asked;

  private Known known = Known.Nothing;

  /** Whether the last push was answered and what it asked for is in force. */
  private boolean applied;

  /** Whether that answer reported the same as the one before it, within the tolerance. */
  private boolean steady;

  private long capacityBytes;
  private long usedBytes;
  private long pushedNanos;

  /** When the lease of the last push that was answered runs out. */
  private long leasedUntilNanos;

  /** A gate that nothing has passed. */
  public PushGate(Settings settings) {
    this.settings = settings;
  }

  /** Takes the newest target. A stale one is not pushed, so that the lease runs out. */
  public void offer(Target target) {
    waiting = target.limitedBy() == Limit.Stale ? null : target;
  }

  /** Forgets the target that waits, and what is in force: another may push from now on. */
  public void clear() {
    waiting = null;
    asked = null;
    forget(Known.Nothing);
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
    boolean toldFor = target.equals(asked);
    asked = null;
    if (!toldFor && nowNanos - leasedUntilNanos >= 0) {
      forget(Known.Nothing);
    }
    if (policy.mode() == Mode.Recommend || target.limitedBy() == Limit.Unconfirmed) {
      pace.taken(nowNanos);
      return new Step(Kind.Poll, target, 0, 0);
    }
    if (!mayPush(target)) {
      asked = toldFor ? null : target;
      return toldFor ? IDLE : new Step(Kind.Poll, target, 0, 0);
    }
    pace.taken(nowNanos);
    if (isHeld(target, nowNanos)) {
      return new Step(Kind.Acknowledge, target, 0, 0);
    }
    pushedNanos = nowNanos;
    return new Step(Kind.Push, target, 0, leaseMillis());
  }

  /**
   * Notes the answer to a push.
   *
   * @param inForce whether the capacity asked for is in force
   * @param newCapacityBytes the capacity in force
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
    known = Known.Pushed;
    leasedUntilNanos = pushedNanos + leaseMillis() * NANOS_PER_MILLI;
  }

  /** Notes that a push was refused or not answered: it may be in force or not. */
  public void failed(Target target) {
    capacityBytes = Math.min(capacityBytes, target.desiredBytes());
    forget(known == Known.Nothing ? Known.Nothing : Known.AtMost);
  }

  /**
   * Notes the answer to a poll. The target that has waited for it is next, unless a newer one has
   * come. While no lease runs, any other target needs a poll of its own.
   *
   * @param newCapacityBytes the capacity in force
   */
  public void told(long newCapacityBytes) {
    if (known != Known.Pushed || newCapacityBytes != capacityBytes) {
      forget(Known.Told);
    }
    capacityBytes = newCapacityBytes;
    waiting = waiting == null ? asked : waiting;
  }

  private void forget(Known left) {
    known = left;
    applied = false;
    steady = false;
  }

  /**
   * Whether enough is known to push a target. One that grows must rest on no more than the tier
   * told, and one that does not shrink on no less: decided from an earlier capacity, its step would
   * be a jump.
   */
  private boolean mayPush(Target target) {
    boolean grows = target.desiredBytes() > capacityBytes;
    boolean shrinks = target.desiredBytes() < target.previousBytes();
    return switch (known) {
      case Nothing -> false;
      case AtMost -> !grows;
      case Told ->
          grows
              ? target.previousBytes() <= capacityBytes
              : shrinks || target.desiredBytes() == capacityBytes;
      case Pushed -> true;
    };
  }

  /** A lease must outlive the pause between two pushes, however long the policy makes it. */
  private long leaseMillis() {
    return Math.max(settings.leaseMillis(), LEASE_INTERVALS * paceMillis);
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
