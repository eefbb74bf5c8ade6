package io.dynims.torture.rules;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Policy;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup.Reporting;
import io.dynims.torture.world.AdapterHost;
import io.dynims.torture.world.World;
import java.util.Optional;

/**
 * A node is healed 25 intervals after the last fault and the last change of its jobs, and after its
 * stores have had the time to free what the jobs need: its tiers are leased, and have grown into
 * the room that the jobs leave, within three dead bands.
 */
final class RoomRule {

  static final String NAME = "room";

  /** 25 intervals. */
  private static final long HEALED_MILLIS = 2_500;

  /** A lease, and until a guard's last decision no longer counts. */
  private static final long LEASE_MILLIS = 9_000;

  private static final double BANDS = 3;

  /** From a sample, or from the ack before it, until the capacity that comes of it. */
  private static final double LAG_SECONDS = 0.3;

  private final World world;
  private final NodeView node;
  private long lastJobBytes;
  private long quietSinceMillis;

  RoomRule(World world, NodeView node) {
    this.world = world;
    this.node = node;
  }

  Optional<Violation> check() {
    if (node.jobBytes() != lastJobBytes || node.changed()) {
      lastJobBytes = node.jobBytes();
      quietSinceMillis = node.millis() + freeingMillis();
    }
    if (node.millis() < LEASE_MILLIS
        || node.millis() - quietSinceMillis < HEALED_MILLIS
        || node.setup().noiseBytes() > 0
        || node.enforced().isEmpty()
        || !node.forecasts()
        || node.calmMillis() < HEALED_MILLIS
        || node.isHeldBack(LEASE_MILLIS)
        || isTouched()) {
      return Optional.empty();
    }
    double roomBytes = node.threshold() * node.totalBytes() - node.jobBytes() - node.untoldBytes();
    double capacityBytes = 0;
    double wantedBytes = 0;
    for (AdapterHost adapter : node.enforced()) {
      if (!adapter.tier().isLeased()) {
        return violation(adapter.key() + ": no controller has it");
      }
      Policy policy = world.policy(adapter.key());
      double headStart =
          policy.forecast() == null
              ? Double.POSITIVE_INFINITY
              : policy.forecast().headStart().of(node.totalBytes());
      double part = policy.share().weight() / policy.share().nodeWeight();
      capacityBytes += adapter.store().capacityBytes();
      wantedBytes +=
          Math.min(
              (double) adapter.store().behaviour().maxBytes(),
              adapter.store().toldBytes() - lagBytes(adapter) + part * headStart);
    }
    double leastBytes = Math.min(roomBytes, wantedBytes) - BANDS * node.bandBytes() - errorBytes();
    return capacityBytes < leastBytes
        ? violation(
            "%s: the tiers have %,.0f bytes where there is room for %,.0f"
                .formatted(node.setup().name(), capacityBytes, leastBytes))
        : Optional.empty();
  }

  /** How long the stores take to free what the jobs need now. */
  private long freeingMillis() {
    double roomBytes = node.threshold() * node.totalBytes() - node.jobBytes();
    double excessBytes = Math.max(0, node.heldBytes() - Math.max(0, roomBytes));
    return excessBytes == 0 ? 0 : (long) (excessBytes / node.leastFreedPerSecond() * 1e3);
  }

  /** What it has loaded since the sample behind its capacity. */
  private static double lagBytes(AdapterHost adapter) {
    return adapter.store().behaviour().rates().fillBytesPerSecond() * LAG_SECONDS;
  }

  private double errorBytes() {
    boolean reports = node.setup().reporting() == Reporting.ByException;
    double sum = reports ? SendOnDelta.DEFAULT_TOLERANCE * node.totalBytes() : 0;
    for (AdapterHost adapter : node.enforced()) {
      var store = adapter.store();
      sum += Math.abs(1 - store.behaviour().usedRatio()) * store.behaviour().maxBytes();
      sum += store.behaviour().grainBytes();
    }
    return sum;
  }

  /** Whether a fault may still have an effect that is meant. */
  private boolean isTouched() {
    for (Event fault : node.faults()) {
      long healing =
          fault instanceof Event.Refusing || fault instanceof Event.SlowStore
              ? HEALED_MILLIS
              : fault instanceof Event.Locked || fault instanceof Event.Foreign || fault.isLie()
                  ? Long.MAX_VALUE / 2
                  : LEASE_MILLIS;
      if (fault.atMillis() <= node.millis() && node.millis() < fault.endMillis() + healing) {
        return true;
      }
    }
    return false;
  }

  private Optional<Violation> violation(String text) {
    return Optional.of(new Violation(NAME, node.millis(), text));
  }
}
