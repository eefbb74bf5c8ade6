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
  static void observe(NodeModel model, LawInput input, double bandBytes) {
    observeCapacity(model, (double) input.capacityBytes(), bandBytes);
    observeLoad(model, input.claimedBytes(), (double) input.allTiersLeastBytes());
    boolean oscillates = oscillates(model, bandBytes);
    model.samplesSinceChange++;
    if (oscillates && model.halvings > 0 && model.samplesSinceChange < SAMPLES_TO_SHOW) {
      return;
    }
    if (oscillates) {
      model.halvings = Math.min(MAX_HALVINGS, model.halvings + 1);
      model.samplesSinceChange = 0;
    } else if (model.halvings > 0 && model.samplesSinceChange >= CALM_SAMPLES) {
      model.halvings--;
      model.samplesSinceChange = 0;
    }
  }

  /** The part of the growth gain that is left: 1, 1/2, down to 1/64. */
  static double gainLeft(NodeModel model) {
    return 1.0 / (1 << (int) model.halvings);
  }

  /** Whether the gain is reduced. */
  static boolean isActive(NodeModel model) {
    return model.halvings > 0;
  }

  private static boolean oscillates(NodeModel model, double bandBytes) {
    double calmest = model.loadTravel[0];
    for (int lag = 1; lag < NodeModel.LAGS; lag++) {
      calmest = Math.min(calmest, model.loadTravel[lag]);
    }
    return model.turns >= MANY_TURNS
        && model.capacityTravel > EXCESS * Math.max(calmest, bandBytes);
  }

  private static void observeCapacity(NodeModel model, double capacityBytes, double bandBytes) {
    double moved = model.known ? capacityBytes - model.capacityBytes : 0;
    model.capacityBytes = capacityBytes;
    model.capacityTravel = KEPT * model.capacityTravel + Math.abs(moved);
    model.turns *= KEPT;
    if (Math.abs(moved) <= bandBytes / 2) {
      return;
    }
    double direction = Math.signum(moved);
    if (direction == -model.direction) {
      model.turns++;
    }
    model.direction = direction;
  }

  private static void observeLoad(NodeModel model, double usedBytes, double tierUsedBytes) {
    for (int lag = 0; lag < NodeModel.LAGS; lag++) {
      double load = (lag == 0 ? usedBytes : model.usedBytes[lag - 1]) - tierUsedBytes;
      double moved = model.known ? Math.abs(load - model.load[lag]) : 0;
      model.loadTravel[lag] = KEPT * model.loadTravel[lag] + moved;
      model.load[lag] = load;
    }
    for (int lag = NodeModel.LAGS - 2; lag >= 0; lag--) {
      model.usedBytes[lag] = lag > 0 && model.known ? model.usedBytes[lag - 1] : usedBytes;
    }
  }
}
