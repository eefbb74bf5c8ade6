package io.dynims.core.law;

/**
 * A law with a model of the node: what the jobs hold is j = v − used, so the capacity that leaves
 * them room is known and need not be approached step by step. While a shrink is unanswered, nobody
 * knows how much of it the tier has given; j is then what it was, as far as v allows.
 *
 * <pre>
 *   ahead  = j + what it is forecast to rise by within the look-ahead
 *   safe   = min( r0·M − j,  (r0 + deadBand)·M − ahead ) − reserve
 *   room   = min( safe,  used + headStart )
 *   base   = what was decided last; what the tier still holds if that is more, and safe
 *
 *   u[i+1] = room, and up to deadBand·M more where j moves up and down by as much
 *                                         if ahead + base + reserve is above (r0 + deadBand)·M
 *                                         or base is above room by more than deadBand·M
 *   u[i+1] = base + gain · (room − base)  if there was room above base for all of the settle time
 *   u[i+1] = base                         otherwise                    Umin ≤ u[i+1] ≤ Umax
 * </pre>
 *
 * where reserve is what the policy says, what the tier lately failed to give, and what it holds
 * beyond its capacity. With hints, j and v have in them what jobs are about to take.
 *
 * <p>Above r0 or under memory pressure no tier grows beyond what it holds. As the capacity follows
 * j, which the tier does not move, there is no loop to become unstable while {@code used} is of the
 * same time as v. docs/control.md gives the theory, also for where it is not.
 */
public record ForecastLaw(LawParameters parameters) implements ControlLaw {

  /** The time constant of the smoothed pressure. */
  private static final double PRESSURE_MILLIS = 500;

  /** The shares by which a sample raises and lowers the estimate of the noise. */
  private static final double NOISE_RISE = 0.3;

  private static final double NOISE_FALL = 0.05;

  /** How many times the noise a single rise must exceed to count. */
  private static final double FAR_ABOVE_NOISE = 9;

  /** The most that a single rise counts for, in dead bands. */
  private static final double SUDDEN_BANDS = 2;

  /** How much of a rise, or of a need for room, noise may explain: so many times the noise. */
  private static final double NOISE_MARGIN = 2;

  /** The most that one turn counts as noise, in dead bands: a step is no noise. */
  private static final double NOISE_BANDS = 4;

  /** Samples further apart than this say nothing about a slope. */
  private static final double MAX_SLOPE_MILLIS = 5_000;

  @Override
  public CapacityDecision decide(LawInput input, NodeModel model) {
    double elapsedMillis = model.known ? input.sampledMillis() - model.sampledMillis : 0;
    observePressure(model, input, elapsedMillis);
    Reserve.observeOverhead(model, input, elapsedMillis, bandBytes(input));

    model.heldBytes = heldBytes(model, input);
    double jobBytes = model.heldBytes + input.hintedBytes();
    // What is announced is expected already; what the jobs take of it is not announced any more.
    double announcedBytes = Math.max(0, input.hintedBytes() - model.hintedBytes);
    double rate = rate(model, jobBytes - announcedBytes, elapsedMillis);
    double aheadBytes = jobBytes + riseBytes(model, input, rate);
    double setPointBytes = parameters.threshold() * input.memoryTotalBytes();
    double freeBytes = setPointBytes - input.otherTiersBytes(model.heldBytes);
    double edgeBytes = freeBytes + bandBytes(input) - aheadBytes;
    double fullBytes = Math.min(freeBytes - jobBytes, edgeBytes);
    double reserveBytes =
        own().reserve().of(input.memoryTotalBytes())
            + Reserve.learntBytes(model, input, fullBytes, elapsedMillis);
    boolean mayGrow = input.claimedBytes() < setPointBytes && !isPressed(model, input);
    double safeBytes = fullBytes - reserveBytes;
    long baseBytes = baseBytes(model, input, safeBytes, mayGrow);
    var room = new Room(baseBytes, safeBytes, edgeBytes - reserveBytes, mayGrow);

    Step step = step(model, input, room);

    observeJobs(model, input, jobBytes, rate, elapsedMillis);
    var forecast =
        new Forecast(
            Math.round(model.heldBytes),
            Math.round(aheadBytes),
            Math.round(reserveBytes),
            Math.round(safeBytes));
    double stepBytes = input.capacityBytes() - baseBytes + step.bytes();
    if (!mayGrow) {
      double beyondBytes =
          Math.max(0.0, (double) input.tier().leastBytes() - input.capacityBytes());
      stepBytes = Math.max(-beyondBytes, stepBytes);
    }
    return CapacityDecision.bounded(input, parameters, stepBytes, step.limit(), forecast);
  }

  /**
   * j as it was, but at least v − used, as if the tier had given nothing of an unanswered shrink,
   * and at most as if it had given all. What a tier may have filled unseen is no rise of j, either,
   * whoever decides it. A tier that tells more than v is wrong, and frees nothing.
   */
  private static double heldBytes(NodeModel model, LawInput input) {
    double usedBytes = input.memoryUsedBytes();
    double least = Math.max(0, usedBytes - input.allTiers().mostBytes());
    double most = Math.max(0, usedBytes - input.allTiers().leastBytes());
    return model.known ? Math.max(least, Math.min(most, model.heldBytes)) : most;
  }

  /**
   * What a step starts from and may use.
   *
   * @param baseBytes the capacity that is in force or about to be
   * @param safeBytes the capacity that leaves the jobs their room, now and ahead
   * @param mostBytes the capacity above which the set point is missed by more than the dead band
   * @param mayGrow whether growth is allowed at all
   */
  private record Room(long baseBytes, double safeBytes, double mostBytes, boolean mayGrow) {}

  /**
   * The capacity that a step starts from: the one last decided, which will soon be in force. If the
   * tier still holds more and there is room for it, the step starts from what the tier holds, so
   * that nothing is evicted needlessly; but not from an old figure, as the data may be gone.
   */
  private static long baseBytes(
      NodeModel model, LawInput input, double safeBytes, boolean mayGrow) {
    if (input.tierUsedAgeMillis() > 0) {
      return input.desiredBytes();
    }
    // On a full node, what the noise may take at the next sample is not kept.
    double keptBytes = mayGrow ? safeBytes : safeBytes - NOISE_MARGIN * model.jobNoise;
    return Math.max(
        input.desiredBytes(), (long) Math.min((double) input.tier().leastBytes(), keptBytes));
  }

  /** What to take from the base, and what limited it. */
  private record Step(double bytes, Limit limit) {}

  private Step step(NodeModel model, LawInput input, Room room) {
    double startedBytes =
        (double) input.tier().leastBytes() + own().headStart().of(input.memoryTotalBytes());
    boolean isAhead = startedBytes < room.safeBytes();
    double roomBytes = isAhead ? startedBytes : room.safeBytes();
    double gapBytes = roomBytes - room.baseBytes();
    Limit otherwise = isAhead ? Limit.HeadStart : Limit.None;
    boolean hasRoom = gapBytes > bandBytes(input) + model.jobNoise / 2;

    boolean isSettled = settle(model, input, roomBytes, hasRoom && room.mayGrow());
    if (room.baseBytes() > room.mostBytes() || gapBytes < -bandBytes(input)) {
      // What the noise explains of the need will be over with the next sample.
      double passingBytes = Math.min(bandBytes(input), NOISE_MARGIN * model.jobNoise);
      double keptBytes = Math.min(roomBytes + passingBytes, room.mostBytes());
      return capped(room.baseBytes() - keptBytes, own().maxShrink(), input, otherwise);
    }
    if (!hasRoom) {
      return new Step(0, gapBytes == 0 ? otherwise : Limit.DeadBand);
    }
    if (!room.mayGrow()) {
      return new Step(0, isPressed(model, input) ? Limit.Pressure : Limit.None);
    }
    if (!isSettled) {
      return new Step(0, Limit.Settling);
    }
    double otherBytes = input.otherTiersBytes(model.heldBytes);
    double leastRoomBytes = model.leastRoomBytes - otherBytes;
    double growthBytes = parameters.gain() * Math.max(0, leastRoomBytes - room.baseBytes());
    model.leastRoomBytes = roomBytes + otherBytes;
    return capped(-growthBytes, own().maxGrow(), input, otherwise);
  }

  /** A step of at most so much; one below 0 grows. */
  private static Step capped(double bytes, MemorySize most, LawInput input, Limit otherwise) {
    double mostBytes =
        most.isAll() ? Double.POSITIVE_INFINITY : (double) most.of(input.memoryTotalBytes());
    return Math.abs(bytes) > mostBytes
        ? new Step(Math.copySign(mostBytes, bytes), Limit.MaxStep)
        : new Step(bytes, otherwise);
  }

  /**
   * Whether there has been room to grow for the settle time; keeps the least room since, with what
   * other tiers hold, so that a tier that joins or leaves is no change.
   */
  private boolean settle(NodeModel model, LawInput input, double roomBytes, boolean mayGrow) {
    long nowMillis = input.sampledMillis();
    // A clock that was set back must not delay growth for as long.
    if (!mayGrow || !model.known || nowMillis < model.blockedMillis) {
      model.blockedMillis = nowMillis;
      model.leastRoomBytes = Double.MAX_VALUE;
      return false;
    }
    double otherBytes = input.otherTiersBytes(model.heldBytes);
    model.leastRoomBytes = Math.min(model.leastRoomBytes, roomBytes + otherBytes);
    // After samples that were lost, one does not show for how long.
    boolean isFirst =
        model.sampledMillis == model.blockedMillis
            && nowMillis - model.sampledMillis > own().lookAheadMillis()
            && own().settleMillis() > 0;
    return !isFirst && nowMillis - model.blockedMillis >= own().settleMillis();
  }

  /** How fast j moves, in bytes a millisecond; 0 where the samples do not tell. */
  private static double rate(NodeModel model, double jobBytes, double elapsedMillis) {
    return elapsedMillis > 0 && elapsedMillis <= MAX_SLOPE_MILLIS
        ? (jobBytes - model.jobBytes) / elapsedMillis
        : 0;
  }

  /**
   * How much j is forecast to rise until the next decision is in force. A rise that two samples in
   * a row show counts, less the noise. A single rise counts only if it is far above the noise, and
   * only up to a limit: it may be the start of a ramp, or a step that is already over.
   */
  private double riseBytes(NodeModel model, LawInput input, double rate) {
    double sustained =
        Math.min(model.jobRate, rate) * own().lookAheadMillis() - NOISE_MARGIN * model.jobNoise;
    double sudden = rate * own().lookAheadMillis() - FAR_ABOVE_NOISE * model.jobNoise;
    return Math.max(Math.max(0, sustained), Math.min(sudden, SUDDEN_BANDS * bandBytes(input)));
  }

  private void observeJobs(
      NodeModel model, LawInput input, double jobBytes, double rate, double elapsedMillis) {
    boolean turned = rate * model.jobRate < 0;
    double backBytes =
        turned ? Math.min(Math.abs(rate), Math.abs(model.jobRate)) * elapsedMillis : 0;
    double turnedBytes = Math.min(backBytes, NOISE_BANDS * bandBytes(input));
    double share = turnedBytes > model.jobNoise ? NOISE_RISE : NOISE_FALL;
    model.jobNoise += share * (turnedBytes - model.jobNoise);
    model.jobRate = rate;
    model.jobBytes = jobBytes;
    model.hintedBytes = input.hintedBytes();
    model.sampledMillis = input.sampledMillis();
    model.known = true;
  }

  private void observePressure(NodeModel model, LawInput input, double elapsedMillis) {
    if (Double.isNaN(input.pressure())) {
      model.pressure = 0;
    } else if (elapsedMillis > 0) {
      double share = elapsedMillis / (elapsedMillis + PRESSURE_MILLIS);
      model.pressure += share * (input.pressure() - model.pressure);
    }
  }

  /** Whether tasks have waited for memory for some time, and still do. */
  private boolean isPressed(NodeModel model, LawInput input) {
    return Math.min(model.pressure, input.pressure()) > own().pressureLimit();
  }

  private double bandBytes(LawInput input) {
    return own().deadBand() * input.memoryTotalBytes();
  }

  private ForecastParameters own() {
    return parameters.forecast();
  }
}
