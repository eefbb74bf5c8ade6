package io.dynims.core.law;

/**
 * Detects that the capacity oscillates although the load does not, and slows growth down until it
 * stops.
 *
 * <p>The cause is a figure of what the tier holds that lags behind v: the load, v − used, then
 * seems to move whenever the tier does. How far it lags is unknown, so the guard computes the load
 * for each lag from 0 to 3 samples, and how far each of these loads travels. If the capacity keeps
 * turning and travels far more than the calmest of them, the load does not explain it.
 */
final class OscillationGuard {

  /** Sums forget a tenth with each sample. */
  private static final double KEPT = 0.9;

  /** The sum at three turns within ten samples. */
  private static final double MANY_TURNS = 1.8;

  /** How much further than the load the capacity travels when the load does not explain it. */
  private static final double EXCESS = 4;

  private static final int MAX_HALVINGS = 6;

  /** Samples until a changed gain shows. */
  private static final int SAMPLES_TO_SHOW = 10;

  /** Samples without oscillation after which the gain is doubled again. */
  private static final int CALM_SAMPLES = 100;

  private OscillationGuard() {}

  /**
   * Takes a sample into account.
   *
   * @param bandBytes the change of the capacity that counts as one
   */
  static void observe(ForecastState state, LawInput input, double bandBytes) {
    observeCapacity(state, (double) input.capacityBytes(), bandBytes);
    observeLoad(state, input.claimedBytes(), (double) input.tierLeastBytes());
    boolean oscillates = oscillates(state, bandBytes);
    state.samplesSinceChange++;
    if (oscillates && state.halvings > 0 && state.samplesSinceChange < SAMPLES_TO_SHOW) {
      return;
    }
    if (oscillates) {
      state.halvings = Math.min(MAX_HALVINGS, state.halvings + 1);
      state.samplesSinceChange = 0;
    } else if (state.halvings > 0 && state.samplesSinceChange >= CALM_SAMPLES) {
      state.halvings--;
      state.samplesSinceChange = 0;
    }
  }

  /** The part of the growth gain that is left: 1, 1/2, down to 1/64. */
  static double gainLeft(ForecastState state) {
    return 1.0 / (1 << (int) state.halvings);
  }

  /** Whether the gain is reduced. */
  static boolean isActive(ForecastState state) {
    return state.halvings > 0;
  }

  private static boolean oscillates(ForecastState state, double bandBytes) {
    double calmest = state.loadTravel[0];
    for (int lag = 1; lag < ForecastState.LAGS; lag++) {
      calmest = Math.min(calmest, state.loadTravel[lag]);
    }
    return state.turns >= MANY_TURNS
        && state.capacityTravel > EXCESS * Math.max(calmest, bandBytes);
  }

  private static void observeCapacity(ForecastState state, double capacityBytes, double bandBytes) {
    double moved = state.known ? capacityBytes - state.capacityBytes : 0;
    state.capacityBytes = capacityBytes;
    state.capacityTravel = KEPT * state.capacityTravel + Math.abs(moved);
    state.turns *= KEPT;
    if (Math.abs(moved) <= bandBytes / 2) {
      return;
    }
    double direction = Math.signum(moved);
    if (direction == -state.direction) {
      state.turns++;
    }
    state.direction = direction;
  }

  private static void observeLoad(ForecastState state, double usedBytes, double tierUsedBytes) {
    for (int lag = 0; lag < ForecastState.LAGS; lag++) {
      double load = (lag == 0 ? usedBytes : state.usedBytes[lag - 1]) - tierUsedBytes;
      double moved = state.known ? Math.abs(load - state.load[lag]) : 0;
      state.loadTravel[lag] = KEPT * state.loadTravel[lag] + moved;
      state.load[lag] = load;
    }
    for (int lag = ForecastState.LAGS - 2; lag >= 0; lag--) {
      state.usedBytes[lag] = lag > 0 && state.known ? state.usedBytes[lag - 1] : usedBytes;
    }
  }
}
