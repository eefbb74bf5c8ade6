package io.dynims.core.law;

/**
 * What {@link ForecastLaw} leaves free besides the policy's reserve: what the tier lately failed to
 * give although the node needed it, and what it holds beyond its capacity for good, such as pages
 * that are partly empty.
 */
final class Reserve {

  /** The half-life of what the tier failed to give. */
  private static final double SHORTFALL_HALF_LIFE_MILLIS = 10_000;

  /** The time in which the estimated overhead halves its error, where it is to rise and to fall. */
  private static final double OVERHEAD_RISE_MILLIS = 2_000;

  private static final double OVERHEAD_FALL_MILLIS = 5_000;

  /** For how long nothing has moved where what the tier holds beyond its capacity stays. */
  private static final double STILL_MILLIS = 600;

  /** By how much that may change meanwhile. */
  private static final double STILL_PART = 0.02;

  private Reserve() {}

  /** What was learnt so far, with this sample. */
  static double learntBytes(
      NodeModel model, LawInput input, double fullBytes, double elapsedMillis) {
    double missingBytes =
        Math.min((double) input.unevictableBytes(), input.capacityBytes() - fullBytes);
    if (model.shortfallBytes > 0) {
      model.shortfallBytes *=
          Math.pow(0.5, Math.max(0, elapsedMillis) / SHORTFALL_HALF_LIFE_MILLIS);
    }
    model.shortfallBytes = Math.max(missingBytes, model.shortfallBytes);
    return model.shortfallBytes + model.overheadBytes;
  }

  /**
   * It rises only while nothing moves: evictions after a change may take several samples, and an
   * answer may come with every third one.
   */
  static void observeOverhead(
      NodeModel model, LawInput input, double elapsedMillis, double bandBytes) {
    double usedBytes = input.tier().leastBytes();
    double beyondBytes = Math.max(0, usedBytes - input.capacityBytes());
    boolean moved = Math.abs(input.capacityBytes() - model.capacityBytes) > bandBytes / 2;
    if (moved || Math.abs(usedBytes - model.tierUsedBytes) > STILL_PART * beyondBytes) {
      model.stillMillis = 0;
      model.tierUsedBytes = usedBytes;
    } else {
      model.stillMillis += Math.max(0, elapsedMillis);
    }
    double missedBytes = Math.max(0, beyondBytes - input.unevictableBytes()) - model.overheadBytes;
    if (missedBytes > 0 ? model.stillMillis >= STILL_MILLIS : !moved) {
      double halfMillis = missedBytes > 0 ? OVERHEAD_RISE_MILLIS : OVERHEAD_FALL_MILLIS;
      double part = 1 - Math.pow(0.5, Math.max(0, elapsedMillis) / halfMillis);
      model.overheadBytes += missedBytes * part;
    }
    model.capacityBytes = input.capacityBytes();
  }
}
