package io.dynims.torture.rules;

import io.dynims.core.law.LawType;
import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.SimulatedNode;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.PlanDraw;
import io.dynims.torture.world.AdapterHost;
import io.dynims.torture.world.World;
import java.util.ArrayList;
import java.util.List;

/** What is true of a node at a step, as no part of the loop can know it. */
final class NodeView {

  private static final long MOST_AHEAD_MILLIS = 4_900;
  private static final long MOST_BEHIND_MILLIS = 1_500;

  /** How old an ack may be where nothing holds it up: an interval, and its way. */
  private static final long ACK_MILLIS = 150;

  private final World world;
  private final NodeSetup setup;
  private final SimulatedNode node;
  private final MachineClock clock;
  private final MachineClock jobClock;
  private final List<AdapterHost> adapters = new ArrayList<>();
  private final List<Event> faults = new ArrayList<>();
  private final List<Event.HintGiven> hints = new ArrayList<>();
  private final List<Event.Unpersisted> unpersisted = new ArrayList<>();

  /** Those whose policy enforces now. */
  private final List<AdapterHost> enforced = new ArrayList<>();

  private double threshold;
  private long jobBytes;
  private long unseenBytes;
  private long heldBytes;
  private long evictedBytes;
  private long filledBytes;
  private boolean changed;
  private long calmSinceMillis;

  NodeView(World world, NodeSetup setup) {
    this.world = world;
    this.setup = setup;
    this.node = world.node(setup.name());
    this.clock = world.clock(setup.name());
    this.jobClock = world.clock(null);
    setup.tiers().forEach(tier -> adapters.add(world.adapter(tier.policy().key())));
    for (Event event : world.plan().events()) {
      if (event instanceof Event.HintGiven hint && hint.node().equals(setup.name())) {
        hints.add(hint);
      } else if (event instanceof Event.Unpersisted some && some.node().equals(setup.name())) {
        unpersisted.add(some);
      }
      if (event.isFault() && (event.node() == null || event.node().equals(setup.name()))) {
        faults.add(event);
      }
    }
  }

  /** Looks at the node. */
  void look() {
    List<AdapterHost> before = List.copyOf(enforced);
    double thresholdBefore = threshold;
    enforced.clear();
    threshold = 1;
    long outside = 0;
    unseenBytes = 0;
    for (AdapterHost adapter : adapters) {
      Policy policy = world.policy(adapter.key());
      if (policy != null && policy.mode() == Mode.Enforce) {
        enforced.add(adapter);
        threshold = Math.min(threshold, policy.threshold());
      } else {
        outside += adapter.store().heldBytes();
        unseenBytes += policy == null && isStock() ? adapter.store().heldBytes() : 0;
      }
    }
    changed = !before.equals(enforced) || thresholdBefore != threshold;
    jobBytes = node.jobBytes() + outside;
    heldBytes = 0;
    evictedBytes = 0;
    filledBytes = 0;
    for (AdapterHost adapter : enforced) {
      heldBytes += adapter.store().heldBytes();
      evictedBytes += adapter.store().evictedBytes();
      filledBytes += adapter.store().filledBytes();
    }
    if (isSkewed()) {
      calmSinceMillis = millis();
    }
    for (Event fault : faults) {
      if (fault.atMillis() <= millis()) {
        calmSinceMillis = Math.max(calmSinceMillis, Math.min(fault.endMillis(), millis()));
      }
    }
  }

  long millis() {
    return world.time().millis();
  }

  NodeSetup setup() {
    return setup;
  }

  List<AdapterHost> enforced() {
    return enforced;
  }

  /** Whether v is what the stock plugin tells and what the tiers tell that they hold. */
  boolean isStock() {
    return setup.reporting() == NodeSetup.Reporting.Stock;
  }

  /** By how much what the tiers say differs from what they hold, where that is in a figure. */
  double misreportedBytes() {
    double sum = 0;
    for (AdapterHost adapter : isStock() ? adapters : enforced) {
      var store = adapter.store();
      sum += Math.abs(1 - store.behaviour().usedRatio()) * store.heldBytes();
    }
    return sum;
  }

  /** Whether the node's reader tells what a tier holds. */
  boolean isMeasured(AdapterHost adapter) {
    return setup.measured() && adapter == adapters.get(0);
  }

  /**
   * How much later than elsewhere a rise of the jobs shows: by an interval where a tier is known by
   * its acks only, as it may give just what the jobs take; and until the next heartbeat where the
   * node then reports nothing.
   */
  long unseenMillis() {
    boolean measured = setup.measured() && setup.tiers().size() == 1;
    boolean reports = setup.reporting() == NodeSetup.Reporting.ByException;
    return measured
        ? 0
        : PlanDraw.INTERVAL_MILLIS + (reports ? SendOnDelta.DEFAULT_HEARTBEAT_MILLIS : 0);
  }

  /** Whether other tiers are enforced, or at another threshold, than at the step before. */
  boolean changed() {
    return changed;
  }

  /** Whether the law knows how much room there is; the other one approaches it step by step. */
  boolean forecasts() {
    return setup.tiers().get(0).policy().law() == LawType.Forecast;
  }

  /** r0, the least of the tiers that are enforced. */
  double threshold() {
    return threshold;
  }

  /** M. */
  long totalBytes() {
    return node.totalBytes();
  }

  /** The dead band in bytes. */
  double bandBytes() {
    return 0.005 * node.totalBytes();
  }

  /** What the jobs hold, and the tiers that are not enforced. */
  long jobBytes() {
    return jobBytes;
  }

  /** What of that is in no figure: the stock plugin does not see what a withdrawn tier holds. */
  long unseenBytes() {
    return unseenBytes;
  }

  /** What the enforced tiers hold. */
  long heldBytes() {
    return heldBytes;
  }

  /** The bytes a second that the slowest of their stores frees. */
  double leastFreedPerSecond() {
    double least = Double.POSITIVE_INFINITY;
    for (AdapterHost adapter : enforced) {
      least = Math.min(least, adapter.store().behaviour().rates().freeBytesPerSecond());
    }
    return least;
  }

  /** What enforced tiers that no reader measures fill before an ack tells it. */
  double untoldBytes() {
    return untoldBytes(enforced);
  }

  /** What all tiers that no reader measures fill before an ack tells it. */
  double allUntoldBytes() {
    return untoldBytes(adapters);
  }

  private double untoldBytes(List<AdapterHost> of) {
    double sum = 0;
    for (AdapterHost adapter : of) {
      if (!isMeasured(adapter)) {
        var behaviour = adapter.store().behaviour();
        double fillBytes = behaviour.rates().fillBytesPerSecond() * ACK_MILLIS / 1e3;
        sum += Math.min((double) behaviour.maxBytes(), fillBytes);
      }
    }
    return sum;
  }

  /** What was evicted from the enforced tiers. */
  long evictedBytes() {
    return evictedBytes;
  }

  /** What was loaded into the enforced tiers. */
  long filledBytes() {
    return filledBytes;
  }

  /** Whether its clock is so far from another one that its samples are refused, or nearly. */
  boolean isSkewed() {
    // The controllers' clocks are right.
    return isSkewed(jobClock.millis()) || isSkewed(MachineClock.EPOCH_MILLIS + millis());
  }

  private boolean isSkewed(long otherMillis) {
    long aheadMillis = clock.millis() - otherMillis;
    return aheadMillis > MOST_AHEAD_MILLIS || aheadMillis < -MOST_BEHIND_MILLIS;
  }

  /** For how long no fault has touched the node. */
  long calmMillis() {
    return millis() - calmSinceMillis;
  }

  /** What jobs have announced so far. */
  double hintedBytes() {
    double sum = 0;
    for (Event.HintGiven hint : hints) {
      sum += hint.atMillis() <= millis() ? hint.bytes() : 0;
    }
    return sum;
  }

  /** Whether a hint holds, or has held lately. */
  boolean isHeldBack(long healingMillis) {
    for (Event.HintGiven hint : hints) {
      if (hint.atMillis() <= millis() && millis() < hint.endMillis() + healingMillis) {
        return true;
      }
    }
    return false;
  }

  /** The most that was protected within some time. */
  double protectedBytes(long withinMillis) {
    double sum = 0;
    for (Event.Unpersisted some : unpersisted) {
      boolean lately = some.atMillis() <= millis() && millis() < some.endMillis() + withinMillis;
      sum += lately ? some.bytes() : 0;
    }
    return sum;
  }

  /** The faults of the whole run that touch the node. */
  List<Event> faults() {
    return faults;
  }
}
