package io.dynims.core.law;

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
    double[] v = saved.values();
    if (v.length != VALUES) {
      return state;
    }
    state.known = true;
    int i = 0;
    state.sampledMillis = v[i++];
    state.jobBytes = v[i++];
    state.heldBytes = v[i++];
    state.jobRate = v[i++];
    state.jobNoise = v[i++];
    state.blockedMillis = v[i++];
    state.leastRoomBytes = v[i++];
    state.shortfallBytes = v[i++];
    state.overheadBytes = v[i++];
    state.pressure = v[i++];
    state.capacityBytes = v[i++];
    state.tierUsedBytes = v[i++];
    state.direction = v[i++];
    state.capacityTravel = v[i++];
    state.turns = v[i++];
    state.halvings = v[i++];
    state.samplesSinceChange = v[i++];
    System.arraycopy(v, i, state.usedBytes, 0, LAGS - 1);
    System.arraycopy(v, i + LAGS - 1, state.load, 0, LAGS);
    System.arraycopy(v, i + 2 * LAGS - 1, state.loadTravel, 0, LAGS);
    return state;
  }

  LawState saved() {
    double[] v = new double[VALUES];
    int i = 0;
    v[i++] = sampledMillis;
    v[i++] = jobBytes;
    v[i++] = heldBytes;
    v[i++] = jobRate;
    v[i++] = jobNoise;
    v[i++] = blockedMillis;
    v[i++] = leastRoomBytes;
    v[i++] = shortfallBytes;
    v[i++] = overheadBytes;
    v[i++] = pressure;
    v[i++] = capacityBytes;
    v[i++] = tierUsedBytes;
    v[i++] = direction;
    v[i++] = capacityTravel;
    v[i++] = turns;
    v[i++] = halvings;
    v[i++] = samplesSinceChange;
    System.arraycopy(usedBytes, 0, v, i, LAGS - 1);
    System.arraycopy(load, 0, v, i + LAGS - 1, LAGS);
    System.arraycopy(loadTravel, 0, v, i + 2 * LAGS - 1, LAGS);
    return new LawState(v);
  }
}
