package io.dynims.torture.rules;

import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.PlanDraw;
import io.dynims.torture.world.AdapterHost;
import java.util.Optional;

/**
 * What is evicted is at most what the loads made necessary, and two dead bands for each burst. What
 * is necessary is what a controller without any delay would evict that expects a rise to go on for
 * the look-ahead and one more interval: whenever the tiers could hold less than they would hold
 * under it, the difference. A tier's minimum is kept for it also where it is empty.
 */
final class EvictionRule {

  static final String NAME = "eviction";

  private static final long QUIET_MILLIS = 1_000;

  private static final long HELD_UP_MILLIS = 3_000;

  /** How often an adapter saves the capacity that it goes back to after a restart. */
  private static final long SAVED_MILLIS = 1_000;

  /** The look-ahead and one more interval, in intervals. */
  private static final double AHEAD = 2.5;

  private static final int STEPS_BACK = (int) (PlanDraw.INTERVAL_MILLIS / Rules.STEP_MILLIS);

  private final NodeView node;
  private final double[] jobs = new double[STEPS_BACK];
  private long step;

  /** What the tiers would hold under a controller without delay. */
  private double idealBytes;

  private double necessaryBytes;
  private double allowedBytes;
  private double beganEvictedBytes;
  private double lastFilledBytes;
  private long lastFallMillis = -QUIET_MILLIS;

  EvictionRule(NodeView node) {
    this.node = node;
  }

  Optional<Violation> check() {
    if (step == 0 || node.changed()) {
      begin();
    }
    idealBytes += node.filledBytes() - lastFilledBytes;
    lastFilledBytes = node.filledBytes();
    double needBytes =
        node.threshold() * node.totalBytes() - node.jobBytes() - riseBytes() - keptEmptyBytes();
    needBytes = Math.max(0, needBytes);
    double fallBytes = idealBytes - needBytes;
    if (fallBytes > 0) {
      necessaryBytes += fallBytes;
      idealBytes = needBytes;
      countBurst();
    }
    double evictedBytes = node.evictedBytes() - beganEvictedBytes;
    double mostBytes = necessaryBytes + allowedBytes + disturbanceBytes() + unansweredBytes();
    return evictedBytes > mostBytes && node.forecasts()
        ? Optional.of(
            new Violation(
                NAME,
                node.millis(),
                "%s: %,.0f bytes evicted, %,.0f necessary, %,.0f allowed"
                    .formatted(node.setup().name(), evictedBytes, necessaryBytes, mostBytes)))
        : Optional.empty();
  }

  private void begin() {
    idealBytes = node.heldBytes();
    lastFilledBytes = node.filledBytes();
    beganEvictedBytes = node.evictedBytes();
    necessaryBytes = 0;
    // A push of an earlier policy may still be on its way where a fault holds it up.
    boolean clean = node.calmMillis() >= HELD_UP_MILLIS;
    allowedBytes = clean ? 2 * node.bandBytes() + node.allUntoldBytes() : node.totalBytes();
  }

  /** By how much the jobs rise if they go on as within the last interval; at least 0. */
  private double riseBytes() {
    int place = (int) (step % STEPS_BACK);
    double before = step < STEPS_BACK ? node.jobBytes() : jobs[place];
    jobs[place] = node.jobBytes();
    step++;
    return AHEAD * Math.max(0, node.jobBytes() - before);
  }

  /** What the tiers' minima keep and no data fills. */
  private double keptEmptyBytes() {
    double sum = 0;
    for (var adapter : node.enforced()) {
      var store = adapter.store();
      sum += Math.max(0, store.behaviour().minBytes() - store.heldBytes());
    }
    return sum;
  }

  private void countBurst() {
    if (node.millis() - lastFallMillis >= QUIET_MILLIS) {
      allowedBytes += 2 * node.bandBytes() + node.allUntoldBytes();
    }
    lastFallMillis = node.millis();
  }

  /** What the stores say may be off, and what they cannot give is kept free for some time. */
  private double disturbanceBytes() {
    double sum = 2.0 * node.setup().noiseBytes() + node.hintedBytes();
    for (var adapter : node.enforced()) {
      var behaviour = adapter.store().behaviour();
      sum += Math.abs(1 - behaviour.usedRatio()) * behaviour.maxBytes() + emptyBytes(adapter);
      sum += 2.0 * behaviour.grainBytes();
    }
    for (Event fault : node.faults()) {
      if (fault instanceof Event.Locked locked && locked.atMillis() <= node.millis()) {
        sum += locked.bytes();
      } else if (fault instanceof Event.Kill kill && kill.part() == Event.Part.Adapter) {
        sum += unsavedBytes(kill);
      } else if ((fault instanceof Event.Foreign || fault.isLie() || isNewStore(fault))
          && fault.atMillis() <= node.millis()) {
        sum += node.totalBytes();
      }
    }
    return sum;
  }

  /**
   * What of the data of a store that reports less than it holds seems to be empty capacity: all
   * above where that is as much as the tier's part of the head start.
   */
  private double emptyBytes(AdapterHost adapter) {
    var behaviour = adapter.store().behaviour();
    var policy = adapter.planned();
    double hiddenRatio = 1 - behaviour.usedRatio();
    if (hiddenRatio <= 0 || policy.forecast() == null) {
      return 0;
    }
    double weights = 0;
    for (var member : node.enforced()) {
      weights += member.planned().share().weight();
    }
    double headStartBytes =
        policy.share().weight() / weights * policy.forecast().headStart().of(node.totalBytes());
    return Math.max(0, behaviour.maxBytes() - headStartBytes / hiddenRatio);
  }

  /**
   * What one of several tiers was asked for and nobody saw it give, as its adapter does not answer
   * and the stock plugin does not see what it holds. The others have to give that, too.
   */
  private double unansweredBytes() {
    boolean unseen = node.isStock() && node.setup().tiers().size() > 1;
    return unseen && node.faults().stream().anyMatch(this::hidesAnswers)
        ? necessaryBytes + node.hintedBytes()
        : 0;
  }

  private boolean hidesAnswers(Event fault) {
    return fault.atMillis() <= node.millis()
        && (fault instanceof Event.Kill
            || fault instanceof Event.Pause
            || fault instanceof Event.Refusing
            || (fault instanceof Event.LinkFault f
                && (f.link() == Event.Link.Requests || f.link() == Event.Link.Acks)));
  }

  /** What a store fills from the last time that its adapter saved its capacity until it is back. */
  private double unsavedBytes(Event.Kill kill) {
    double sum = 0;
    for (AdapterHost adapter : node.enforced()) {
      if (adapter.key().tier().equals(kill.tier()) && kill.atMillis() <= node.millis()) {
        var behaviour = adapter.store().behaviour();
        double millis = SAVED_MILLIS + kill.endMillis() - kill.atMillis();
        double fillBytes = behaviour.rates().fillBytesPerSecond() * millis / 1e3;
        sum += Math.min((double) behaviour.maxBytes(), fillBytes);
      }
    }
    return sum;
  }

  /** It fills before its adapter can limit it again. */
  private static boolean isNewStore(Event fault) {
    return fault instanceof Event.Kill kill && kill.part() == Event.Part.Store;
  }
}
