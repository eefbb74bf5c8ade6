package io.dynims.core.law;

/** What {@link ForecastLaw} remembers of a tier, by name; a {@link LawState} holds its values. */
final class ForecastState {

  private static final int VALUES = 22;

  /** Whether there was a decision before. */
  boolean known;

  /** The last sample's time. */
  double sampledMillis;

  /** j of the last sample. */
  double jobBytes;

  /** How fast j rose between the last two samples, in bytes a millisecond. */
  double jobRate;

  /** How fast j moves up and down without getting anywhere, in bytes a millisecond. */
  double jobNoise;

  /** When a sample last left no room to grow. */
  double blockedMillis;

  /** The capacity that was safe at the last sample, or the last few since there is room. */
  double safeBytes;

  /** What the tier failed to give lately. */
  double shortfallBytes;

  /** The share of time in which tasks wait for memory, smoothed. */
  double pressure;

  /** u of the last sample. */
  double capacityBytes;

  /** Which way u moved last: 1, −1, or 0. */
  double direction;

  /** v of the last sample. */
  double usedBytes;

  /** v of the sample before it. */
  double usedBytesBefore;

  /** How far u has moved lately, up and down. */
  double capacityTravel;

  /** How often u has turned lately. */
  double turns;

  /** v − used if that figure is of v's time, one sample late, and two. */
  final double[] load = new double[3];

  /** How far each of these has moved lately, up and down. */
  final double[] loadTravel = new double[3];

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
    state.jobRate = v[i++];
    state.jobNoise = v[i++];
    state.blockedMillis = v[i++];
    state.safeBytes = v[i++];
    state.shortfallBytes = v[i++];
    state.pressure = v[i++];
    state.capacityBytes = v[i++];
    state.direction = v[i++];
    state.usedBytes = v[i++];
    state.usedBytesBefore = v[i++];
    state.capacityTravel = v[i++];
    state.turns = v[i++];
    state.halvings = v[i++];
    state.samplesSinceChange = v[i++];
    System.arraycopy(v, i, state.loadTravel, 0, 3);
    System.arraycopy(v, i + 3, state.load, 0, 3);
    return state;
  }

  LawState saved() {
    return new LawState(
        new double[] {
          sampledMillis,
          jobBytes,
          jobRate,
          jobNoise,
          blockedMillis,
          safeBytes,
          shortfallBytes,
          pressure,
          capacityBytes,
          direction,
          usedBytes,
          usedBytesBefore,
          capacityTravel,
          turns,
          halvings,
          samplesSinceChange,
          loadTravel[0],
          loadTravel[1],
          loadTravel[2],
          load[0],
          load[1],
          load[2]
        });
  }
}
