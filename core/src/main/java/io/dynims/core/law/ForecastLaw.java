package io.dynims.core.law;

/**
 * A law with a model of the node: what the jobs hold is j = v − used, so the capacity that leaves
 * them room is known and need not be approached step by step.
 *
 * <pre>
 *   ahead  = j + what it is forecast to rise by within the look-ahead
 *   safe   = min( r0·M − j,  (r0 + deadBand)·M − ahead ) − reserve
 *   room   = min( safe,  used + headStart )
 *
 *   u[i+1] = room                          if ahead + u[i] + reserve is above (r0 + deadBand)·M
 *   u[i+1] = u[i] + gain · (room − u[i])   if there was room above u[i] for all of the settle time
 *   u[i+1] = u[i]                          otherwise                   Umin ≤ u[i+1] ≤ Umax
 * </pre>
 *
 * It never grows above r0 or under memory pressure. As the capacity follows j, which the tier does
 * not move, there is no loop to become unstable while {@code used} is of the same time as v. Where
 * it is not, {@link SwingGuard} slows growth down. docs/control.md gives the theory.
 */
public final class ForecastLaw implements ControlLaw {

  /** The time in which the smoothed pressure follows by two thirds. */
  private static final double PRESSURE_MILLIS = 500;

  /** The time in which half of what the tier failed to give is forgotten. */
  private static final double SHORTFALL_HALF_LIFE_MILLIS = 10_000;

  /** The share by which each sample changes the estimate of the noise. */
  private static final double NOISE_SHARE = 0.1;

  /** A single rise that is so many times the noise is none of it. */
  private static final double FAR_ABOVE_NOISE = 6;

  /** A single rise counts for so many dead bands at most. */
  private static final double SUDDEN_BANDS = 2;

  /** Beyond the dead band, so many times the noise is to be free before the capacity grows. */
  private static final double NOISE_MARGIN = 1.5;

  /** Samples further apart than this say nothing about a slope. */
  private static final double MAX_SLOPE_MILLIS = 5_000;

  private final LawParameters parameters;
  private final ForecastParameters own;

  public ForecastLaw(LawParameters parameters) {
    this.parameters = parameters;
    this.own = parameters.forecast();
  }

  @Override
  public CapacityDecision decide(LawInput input, LawState saved) {
    ForecastState state = ForecastState.of(saved);
    double elapsedMillis = state.known ? input.sampledMillis() - state.sampledMillis : 0;
    observePressure(state, input, elapsedMillis);
    SwingGuard.observe(state, input, bandBytes(input));

    double jobBytes = (double) input.memoryUsedBytes() - input.tierUsedBytes();
    double aheadBytes = jobBytes + riseBytes(state, input, jobBytes, elapsedMillis);
    double setPointBytes = parameters.threshold() * input.memoryTotalBytes();
    double fullBytes =
        Math.min(setPointBytes - jobBytes, setPointBytes + bandBytes(input) - aheadBytes);
    double reserveBytes = reserveBytes(state, input, fullBytes, elapsedMillis);
    double safeBytes = fullBytes - reserveBytes;
    boolean isOverdrawn =
        aheadBytes + reserveBytes + input.capacityBytes() > setPointBytes + bandBytes(input);
    double growthGain = parameters.gain() * SwingGuard.gainLeft(state);

    Step step = step(state, input, safeBytes, isOverdrawn, growthGain);

    state.known = true;
    state.jobBytes = jobBytes;
    state.sampledMillis = input.sampledMillis();
    var forecast =
        new Forecast(
            Math.round(jobBytes),
            Math.round(aheadBytes),
            Math.round(reserveBytes),
            Math.round(safeBytes),
            growthGain,
            SwingGuard.isActive(state));
    return CapacityDecision.bounded(
        input, parameters, step.bytes(), step.limit(), forecast, state.saved());
  }

  /** What to take from the capacity, and what limited it. */
  private record Step(double bytes, Limit limit) {}

  private Step step(
      ForecastState state,
      LawInput input,
      double safeBytes,
      boolean isOverdrawn,
      double growthGain) {
    double mostBytes =
        (double) input.tierUsedBytes() + own.headStart().of(input.memoryTotalBytes());
    boolean isAhead = mostBytes < safeBytes;
    double roomBytes = isAhead ? mostBytes : safeBytes;
    double gapBytes = roomBytes - input.capacityBytes();
    Limit otherwise = isAhead ? Limit.HeadStart : Limit.None;
    boolean isAbove = input.memoryUsedBytes() >= parameters.threshold() * input.memoryTotalBytes();
    boolean hasRoom = gapBytes > growthBandBytes(state, input);

    boolean isSettled = settle(state, input, roomBytes, hasRoom && !isAbove && !isPressed(state));
    if (isOverdrawn || gapBytes < -bandBytes(input)) {
      return shrink(input, -gapBytes, otherwise);
    }
    if (!hasRoom) {
      return new Step(0, gapBytes == 0 ? otherwise : Limit.DeadBand);
    }
    if (isPressed(state)) {
      return new Step(0, Limit.Pressure);
    }
    if (!isSettled) {
      return new Step(0, Limit.Settling);
    }
    double growthBytes = growthGain * (state.safeBytes - input.capacityBytes());
    state.safeBytes = roomBytes;
    return grow(state, input, growthBytes, otherwise);
  }

  private Step shrink(LawInput input, double bytes, Limit otherwise) {
    double most = own.maxShrink().of(input.memoryTotalBytes());
    return bytes > most ? new Step(most, Limit.MaxStep) : new Step(bytes, otherwise);
  }

  private Step grow(ForecastState state, LawInput input, double bytes, Limit otherwise) {
    double most = own.maxGrow().of(input.memoryTotalBytes());
    if (bytes > most) {
      return new Step(-most, Limit.MaxStep);
    }
    return new Step(-bytes, SwingGuard.gainLeft(state) < 1 ? Limit.Oscillation : otherwise);
  }

  /** Whether there has been room to grow for the settle time; keeps the least room since. */
  private boolean settle(ForecastState state, LawInput input, double roomBytes, boolean mayGrow) {
    long nowMillis = input.sampledMillis();
    // A clock that was set back must not delay growth for as long.
    if (!mayGrow || !state.known || nowMillis < state.blockedMillis) {
      state.blockedMillis = nowMillis;
      state.safeBytes = Double.MAX_VALUE;
      return false;
    }
    state.safeBytes = Math.min(state.safeBytes, roomBytes);
    return nowMillis - state.blockedMillis >= own.settleMillis();
  }

  /**
   * How much j rises until the next decision is in force, if it goes on as it rose. What two
   * samples in a row have shown counts, less the noise. Of a single rise far above the noise only a
   * little does: it may be the beginning of a ramp, but just as well a step that is over.
   */
  private double riseBytes(
      ForecastState state, LawInput input, double jobBytes, double elapsedMillis) {
    if (!state.known || elapsedMillis > MAX_SLOPE_MILLIS) {
      state.jobRate = 0;
      state.jobNoise = 0;
      return 0;
    }
    if (elapsedMillis <= 0) {
      return 0;
    }
    double before = state.jobRate;
    double rate = (jobBytes - state.jobBytes) / elapsedMillis;
    double noise = rate * before < 0 ? Math.min(Math.abs(rate), Math.abs(before)) : 0;
    state.jobNoise += NOISE_SHARE * (noise - state.jobNoise);
    state.jobRate = rate;
    double sustained = Math.min(before, rate) - state.jobNoise;
    double sudden = rate - FAR_ABOVE_NOISE * state.jobNoise;
    return Math.max(
        Math.max(0, sustained * own.lookAheadMillis()),
        Math.min(sudden * own.lookAheadMillis(), SUDDEN_BANDS * bandBytes(input)));
  }

  /**
   * What to leave free for blocks that cannot be evicted at once: what the policy says, and what
   * the tier lately failed to give although the node needed it.
   */
  private double reserveBytes(
      ForecastState state, LawInput input, double fullBytes, double elapsedMillis) {
    double missingBytes =
        Math.min((double) input.unevictableBytes(), input.capacityBytes() - fullBytes);
    double forgotten = Math.max(0, elapsedMillis) / SHORTFALL_HALF_LIFE_MILLIS;
    state.shortfallBytes =
        Math.max(Math.max(0, missingBytes), state.shortfallBytes / (1 + forgotten));
    return own.reserve().of(input.memoryTotalBytes()) + state.shortfallBytes;
  }

  private void observePressure(ForecastState state, LawInput input, double elapsedMillis) {
    if (Double.isNaN(input.pressure())) {
      state.pressure = 0;
    } else if (elapsedMillis > 0) {
      double share = elapsedMillis / (elapsedMillis + PRESSURE_MILLIS);
      state.pressure += share * (input.pressure() - state.pressure);
    }
  }

  private boolean isPressed(ForecastState state) {
    return state.pressure > own.pressureLimit();
  }

  private double bandBytes(LawInput input) {
    return own.deadBand() * input.memoryTotalBytes();
  }

  /** Room less than this is none: the noise would take it back. */
  private double growthBandBytes(ForecastState state, LawInput input) {
    return bandBytes(input) + NOISE_MARGIN * state.jobNoise * own.lookAheadMillis();
  }
}
