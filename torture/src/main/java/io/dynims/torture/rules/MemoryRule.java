package io.dynims.torture.rules;

import io.dynims.torture.plan.Event;
import io.dynims.torture.world.AdapterHost;
import java.util.Optional;

/**
 * Jobs and tiers hold no more than (r0 + dead band) · M, or the tiers are at their floor, or they
 * hold no more than under a controller that sees the jobs' memory as it was a reaction ago and
 * frees at the store's rate from then on. While a fault touches the node, the guard's critical
 * utilization counts in place of r0.
 */
final class MemoryRule {

  static final String NAME = "memory";

  /** For how long after a fault the guard's promise counts: a lease, and what follows. */
  private static final long HEALING_MILLIS = 8_000;

  /**
   * From a rise of the jobs' memory until a push of it is in force, or a brake, without a store.
   */
  private static final long REACTION_MILLIS = 280;

  /** From a changed policy until its guard has it, where the job decides nothing. */
  private static final long POLICY_MILLIS = 2_300;

  private static final int STEPS = 256;

  private final NodeView node;
  private final double[] needs = new double[STEPS];
  private final long reactionMillis;
  private long step;
  private long changedMillis;
  private double referenceBytes = Double.POSITIVE_INFINITY;

  MemoryRule(NodeView node) {
    this.node = node;
    long most = 0;
    for (var tier : node.setup().tiers()) {
      most = Math.max(most, tier.budgetMillis());
    }
    reactionMillis = REACTION_MILLIS + most + node.unseenMillis();
  }

  Optional<Violation> check() {
    boolean guarded = node.calmMillis() < HEALING_MILLIS;
    double r0 = node.threshold();
    double limit = guarded ? Math.max(r0 + 0.005, (1 + r0) / 2) : r0 + 0.005;
    long jobBytes = node.jobBytes() - node.unseenBytes();
    double needBytes = Math.max(0, limit * node.totalBytes() - jobBytes);
    needs[(int) (step % STEPS)] = needBytes;
    double heldBytes = node.heldBytes();
    double pastBytes = heldBytes > needBytes ? mostNeedBytes() : needBytes;
    step++;
    changedMillis = node.changed() ? node.millis() : changedMillis;
    boolean isProtected = isProtected();
    long changeMillis = guarded ? POLICY_MILLIS : reactionMillis;
    boolean isNew = node.millis() - reachedMillis() <= changeMillis;
    double floorBytes = floorBytes() + slackBytes();
    if (heldBytes <= pastBytes || heldBytes <= floorBytes || isNew || !isProtected) {
      referenceBytes = heldBytes;
    } else {
      referenceBytes =
          Math.max(
              pastBytes, referenceBytes - node.leastFreedPerSecond() * Rules.STEP_MILLIS / 1e3);
    }
    boolean isExcess = heldBytes > Math.max(referenceBytes, pastBytes) + slackBytes();
    return isExcess && heldBytes > floorBytes && isProtected
        ? Optional.of(
            new Violation(
                NAME,
                node.millis(),
                "%s: jobs %,d and tiers %,d of %,d; the tiers could hold %,.0f"
                    .formatted(
                        node.setup().name(),
                        node.jobBytes(),
                        node.heldBytes(),
                        node.totalBytes(),
                        Math.max(referenceBytes, pastBytes))))
        : Optional.empty();
  }

  /** When the last change of the policies could be sent to the adapters. */
  private long reachedMillis() {
    long millis = changedMillis;
    for (var fault : node.faults()) {
      boolean cuts =
          fault instanceof Event.LinkFault f
              && f.link() == Event.Link.Requests
              && (f.harm() == Event.Harm.Lost || f.harm() == Event.Harm.Late);
      if (cuts && fault.atMillis() <= millis) {
        millis = Math.max(millis, Math.min(fault.endMillis(), node.millis()));
      }
    }
    return millis;
  }

  /** The most that the tiers could hold within the reaction time. */
  private double mostNeedBytes() {
    int back = (int) Math.min(step, reactionMillis / Rules.STEP_MILLIS);
    double most = 0;
    for (int i = 0; i <= back; i++) {
      most = Math.max(most, needs[(int) ((step - i) % STEPS)]);
    }
    return most;
  }

  /** Nothing is promised while an adapter is down or its store away, nor at once after that. */
  private boolean isProtected() {
    for (var fault : node.faults()) {
      boolean disarms =
          fault instanceof Event.Kill
              || fault instanceof Event.Pause
              || fault instanceof Event.Refusing
              || fault instanceof Event.Foreign
              || fault.isLie()
              || fault instanceof Event.SlowStore;
      if (disarms
          && fault.atMillis() <= node.millis()
          && node.millis() <= fault.endMillis() + HEALING_MILLIS) {
        return false;
      }
    }
    return !node.enforced().isEmpty() && node.forecasts();
  }

  /** What the tiers need not or cannot give. */
  private double floorBytes() {
    double sum = node.protectedBytes(HEALING_MILLIS);
    for (AdapterHost adapter : node.enforced()) {
      sum += adapter.store().behaviour().minBytes() + adapter.store().lockedBytes();
    }
    return sum;
  }

  /** What the stores say may be off, and their limits are rounded. */
  private double slackBytes() {
    double sum = node.bandBytes() + 2.0 * node.setup().noiseBytes() + node.misreportedBytes();
    for (AdapterHost adapter : node.enforced()) {
      sum += adapter.store().behaviour().grainBytes();
    }
    return sum;
  }
}
