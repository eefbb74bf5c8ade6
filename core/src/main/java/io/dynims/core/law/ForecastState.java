package io.dynims.core.law;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** What {@link ForecastLaw} remembers of a tier, by name; a {@link LawState} holds its values. */
final class ForecastState {

  /** How many lags are tried: the figure of what the tier holds may be 0 to 3 samples late. */
  static final int LAGS = 4;

  private static final int SINGLE_VALUES = 17;
  private static final int VALUES = SINGLE_VALUES + 3 * LAGS - 1;

  /** Whether there was a decision before. */
  boolean known;

  /** The last sample's time. */
  double sampledMillis;

  /** j of the last sample, with what hints announced. */
  double jobBytes;

  /** j of the last sample, without it. */
  double heldBytes;

  /** How fast j rose between the last two samples, in bytes a millisecond. */
  double jobRate;

  /** By how much j moves up and down from one sample to the next, in bytes. */
  double jobNoise;

  /** When a sample last left no room to grow. */
  double blockedMillis;

  /** The least room since there has been any to grow. */
  double leastRoomBytes;

  /** What the tier failed to give lately. */
  double shortfallBytes;

  /** What the tier permanently holds beyond its capacity. */
  double overheadBytes;

  /** The share of time in which tasks wait for memory, smoothed. */
  double pressure;

  /** u of the last sample. */
  double capacityBytes;

  /** What the tier held then. */
  double tierUsedBytes;

  /** Which way u moved last: 1, −1, or 0. */
  double direction;

  /** v of the last three samples, the newest first. */
  final double[] usedBytes = new double[LAGS - 1];

  /** How far u has moved lately, up and down. */
  double capacityTravel;

  /** How often u has turned lately. */
  double turns;

  /** v − used, by how many samples the figure of what the tier holds may be late. */
  final double[] load = new double[LAGS];

  /** How far each of these has moved lately, up and down. */
  final double[] loadTravel = new double[LAGS];

  /** How often the growth gain is halved. */
  double halvings;

  /** Samples since it was halved or doubled last. */
  double samplesSinceChange;

  static ForecastState of(LawState saved) {
    ForecastState state = new ForecastState();
    state.known = saved.values().length == VALUES;
    if (state.known) {
      int[] next = {0};
      state.pass(value -> saved.values()[next[0]++]);
    }
    return state;
  }

  LawState saved() {
    double[] values = new double[VALUES];
    int[] next = {0};
    pass(value -> values[next[0]++] = value);
    return new LawState(values);
  }

  /** Passes all values to a reader or writer in one order, and keeps what it returns. */
  private void pass(DoubleUnaryOperator at) {
    sampledMillis = at.applyAsDouble(sampledMillis);
    jobBytes = at.applyAsDouble(jobBytes);
    heldBytes = at.applyAsDouble(heldBytes);
    jobRate = at.applyAsDouble(jobRate);
    jobNoise = at.applyAsDouble(jobNoise);
    blockedMillis = at.applyAsDouble(blockedMillis);
    leastRoomBytes = at.applyAsDouble(leastRoomBytes);
    shortfallBytes = at.applyAsDouble(shortfallBytes);
    overheadBytes = at.applyAsDouble(overheadBytes);
    pressure = at.applyAsDouble(pressure);
    capacityBytes = at.applyAsDouble(capacityBytes);
    tierUsedBytes = at.applyAsDouble(tierUsedBytes);
    direction = at.applyAsDouble(direction);
    capacityTravel = at.applyAsDouble(capacityTravel);
    turns = at.applyAsDouble(turns);
    halvings = at.applyAsDouble(halvings);
    samplesSinceChange = at.applyAsDouble(samplesSinceChange);
    for (double[] each : new double[][] {usedBytes, load, loadTravel}) {
      Arrays.setAll(each, i -> at.applyAsDouble(each[i]));
    }
  }
}
