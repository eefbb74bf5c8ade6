package io.dynims.core.guard;

import io.dynims.core.hint.HintLedger;
import io.dynims.core.hint.JobSample;
import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.Held;
import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;
import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.List;

/**
 * Protects the node of one tier under one policy. Each sample of the node's memory is {@linkplain
 * #observe observed}. While a controller has the tier the guard only {@linkplain #brake brakes};
 * otherwise it {@linkplain #decide decides}, by the same loop and law as the streaming job.
 *
 * <p>It has no clock, thread or I/O, and observing does not allocate. Times are by the host's
 * clock, which must not step. For use by one thread at a time, but for {@link #roomBytes}.
 */
public final class NodeGuard {

  /** Samples further apart say nothing about how fast memory is taken. */
  private static final long MAX_RISE_MILLIS = 1_000;

  private static final double UNKNOWN = Double.NaN;

  /** How long a tier may take until it has freed a part of what it holds above its capacity. */
  private static final long FREES_WITHIN_MILLIS = 200;

  /** That part. */
  private static final double FREED_PART = 0.01;

  /** Brakes further apart have nothing to do with each other. */
  private static final long MAX_BRAKE_MILLIS = 1_000;

  private final Policy policy;
  private final HintLedger hints;
  private final Brake brake;

  private long memoryUsedBytes;
  private long memoryTotalBytes;
  private long stalledMicros;
  private long sampledMillis;
  private boolean observed;
  private long riseBytes;
  private double pressure = UNKNOWN;

  /** When the tier last freed such a part while the guard braked, and what it held then. */
  private long freedMillis;

  private long freedToBytes;
  private long lastBrakeMillis = Long.MIN_VALUE / 2;

  /** Read by other threads, too. */
  private volatile long roomBytes;

  /** The loop since control was lost; null while a controller has the tier. */
  private NodeLoop loop;

  /**
   * A guard that follows a policy.
   *
   * @param hints what jobs have taken of what they announced; outlives the guard
   */
  public NodeGuard(Policy policy, HintLedger hints) {
    this.policy = policy;
    this.hints = hints;
    this.brake =
        new Brake(
            policy.threshold(),
            policy.guard().criticalUtilization(policy.threshold()),
            policy.guard().pressureLimit());
  }

  /** The policy that it follows. */
  public Policy policy() {
    return policy;
  }

  /**
   * Takes a sample of the node's memory.
   *
   * @param usedBytes v, the memory in use
   * @param totalBytes the node's memory
   * @param newStalledMicros for how long some task has waited for memory so far; negative if
   *     unknown
   */
  public void observe(long usedBytes, long totalBytes, long newStalledMicros, long nowMillis) {
    long elapsedMillis = nowMillis - sampledMillis;
    boolean follows = observed && elapsedMillis > 0 && elapsedMillis <= MAX_RISE_MILLIS;
    riseBytes = follows ? perInterval(usedBytes - memoryUsedBytes, elapsedMillis) : 0;
    boolean told = follows && stalledMicros >= 0 && newStalledMicros >= 0;
    pressure =
        told ? MemoryReading.pressure(newStalledMicros - stalledMicros, elapsedMillis) : UNKNOWN;
    memoryUsedBytes = usedBytes;
    memoryTotalBytes = totalBytes;
    stalledMicros = newStalledMicros;
    sampledMillis = nowMillis;
    observed = true;
    long setPointBytes = (long) (policy.threshold() * policy.memoryTotalBytes(totalBytes));
    roomBytes = Math.max(0, setPointBytes - usedBytes - Math.max(0, riseBytes));
  }

  /** What of a rise one interval has; the samples may be further apart. */
  private long perInterval(long bytes, long elapsedMillis) {
    double intervals = (double) elapsedMillis / policy.intervalMillis();
    return intervals > 1 ? Math.round(bytes / intervals) : bytes;
  }

  /**
   * What the last sample leaves below the threshold if the memory in use rises once more as it just
   * did, at least 0; may be called by any thread.
   */
  public long roomBytes() {
    return roomBytes;
  }

  /** Whether the node needs room at once. */
  public boolean isCritical() {
    return isCritical(memoryUsedBytes);
  }

  /** Whether the node needs room at once if so much is in use, as a closer look shows. */
  public boolean isCritical(long exactUsedBytes) {
    return brake.isNeeded(
        exactUsedBytes, riseBytes, policy.memoryTotalBytes(memoryTotalBytes), pressure);
  }

  /** A controller has the tier. */
  public void standBy() {
    loop = null;
  }

  /**
   * Sees meanwhile what the jobs take of what they announced.
   *
   * @param inForce what the tier tells now
   * @param exactUsedBytes v, from a closer look
   */
  public void watch(Ack inForce, long exactUsedBytes) {
    long tierBytes = inForce.usedBytes();
    long jobBytes = Math.max(0, exactUsedBytes - tierBytes);
    hints.observe(
        new JobSample(jobBytes, tierBytes, true, memoryTotalBytes, sampledMillis), inForce.hints());
  }

  /**
   * Makes room at once.
   *
   * @param inForce what the tier tells now
   * @param exactUsedBytes v, from a closer look
   * @return the decision; null if the tier has nothing to give
   */
  public Target brake(Ack inForce, long exactUsedBytes, long nowMillis) {
    LawInput input = input(inForce, exactUsedBytes);
    LawParameters parameters = parameters(input, inForce);
    boolean frees = noteBrake(input, nowMillis);
    double part = policy.share().weight() / policy.share().nodeWeight();
    long desiredBytes = brake.capacityBytes(input, parameters, riseBytes, frees, part);
    if (desiredBytes >= input.capacityBytes()) {
      return null;
    }
    return target(input, parameters, desiredBytes, "the guard brakes", nowMillis);
  }

  /** Notes a brake; returns whether the tier still frees what it holds above its capacity. */
  private boolean noteBrake(LawInput input, long nowMillis) {
    long usedBytes = input.tier().usedBytes();
    boolean first =
        nowMillis - lastBrakeMillis > MAX_BRAKE_MILLIS || usedBytes <= input.capacityBytes();
    lastBrakeMillis = nowMillis;
    double owedBytes = (double) freedToBytes - input.capacityBytes();
    if (first || freedToBytes - usedBytes > FREED_PART * owedBytes) {
      freedMillis = nowMillis;
      freedToBytes = usedBytes;
    }
    return nowMillis - freedMillis <= FREES_WITHIN_MILLIS;
  }

  /**
   * Decides in the controller's place.
   *
   * @param inForce what the tier tells now
   * @param exactUsedBytes v, from a closer look
   * @return the decision; null if there is none to make
   */
  public Target decide(Ack inForce, long exactUsedBytes, long nowMillis) {
    if (loop == null) {
      NodeLoopState state = new NodeLoopState();
      state.hints = hints;
      loop = new NodeLoop(state, nowMillis, LoopObserver.NONE, policy.share().otherWeight());
      loop.onPolicy(policy, nowMillis);
    }
    loop.onAck(inForce, nowMillis);
    List<Target> lawful = loop.onSample(reading(inForce, exactUsedBytes), nowMillis);
    Target allowed = allowed(lawful.isEmpty() ? null : lawful.get(0), inForce, exactUsedBytes);
    Target braked = isCritical(exactUsedBytes) ? brake(inForce, exactUsedBytes, nowMillis) : null;
    boolean brakes =
        braked != null && (allowed == null || braked.desiredBytes() < allowed.desiredBytes());
    return brakes ? braked : allowed;
  }

  /** What the policy lets the guard do of what the law says. */
  private Target allowed(Target lawful, Ack inForce, long exactUsedBytes) {
    boolean grows = lawful != null && lawful.desiredBytes() > inForce.capacityBytes();
    return switch (policy.guard().onLostControl()) {
      case Follow -> marked(lawful);
      case ShrinkOnly -> grows ? null : marked(lawful);
      case Keep -> null;
      case Fallback -> lawful == null ? null : fallback(lawful, inForce, exactUsedBytes);
    };
  }

  private Target fallback(Target lawful, Ack inForce, long exactUsedBytes) {
    LawInput input = input(inForce, exactUsedBytes);
    LawParameters parameters = parameters(input, inForce);
    long fallbackBytes = policy.guard().fallbackCapacity().of(input.memoryTotalBytes());
    long desiredBytes = Math.max(fallbackBytes, parameters.floorBytes());
    return desiredBytes >= input.capacityBytes()
        ? null
        : target(
            input,
            parameters,
            desiredBytes,
            "no controller, so the fallback capacity",
            lawful.decidedMillis());
  }

  private static Target marked(Target lawful) {
    return lawful == null ? null : lawful.byGuard("no controller");
  }

  private Target target(
      LawInput input, LawParameters parameters, long desiredBytes, String why, long nowMillis) {
    var decision = CapacityDecision.guarded(input, parameters, desiredBytes);
    return Target.of(policy.key(), decision, decision.reason(), nowMillis, nowMillis).byGuard(why);
  }

  private LawParameters parameters(LawInput input, Ack inForce) {
    return policy.parameters(input.memoryTotalBytes(), orZero(inForce.unpersistedBytes()));
  }

  private LawInput input(Ack inForce, long exactUsedBytes) {
    return new LawInput(
        inForce.capacityBytes(),
        inForce.capacityBytes(),
        Held.of(inForce.usedBytes()),
        Held.of(inForce.usedBytes()),
        0,
        orZero(inForce.unevictableBytes()),
        exactUsedBytes,
        0,
        policy.memoryTotalBytes(memoryTotalBytes),
        pressure,
        sampledMillis);
  }

  private MemoryReading reading(Ack inForce, long exactUsedBytes) {
    return new MemoryReading(
        policy.node(),
        sampledMillis,
        MemoryReading.WHOLE,
        memoryTotalBytes,
        memoryTotalBytes - exactUsedBytes,
        new MemoryReading.TierUse(policy.tier(), inForce.usedBytes()),
        stalledMicros < 0 ? null : stalledMicros);
  }

  private static long orZero(Long bytes) {
    return bytes == null ? 0 : bytes;
  }
}
