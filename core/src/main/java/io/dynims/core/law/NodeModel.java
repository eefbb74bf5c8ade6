package io.dynims.core.law;

/**
 * What {@link ForecastLaw} has learnt of a node from its samples: what its jobs hold, how that
 * moves, and how its tiers answer. It is a POJO by Flink's rules, so that saved state can gain
 * fields.
 */
public final class NodeModel implements Cloneable {

  /** How many lags are tried: the figure of what the tier holds may be 0 to 3 samples late. */
  static final int LAGS = 4;

  /** Whether there was a sample before. */
  public boolean known;

  /** The last sample's time. */
  public double sampledMillis;

  /** j of the last sample, with what hints announced. */
  public double jobBytes;

  /** j of the last sample, without it. */
  public double heldBytes;

  /** What hints announced then. */
  public double hintedBytes;

  /** How fast j rose between the last two samples, in bytes a millisecond. */
  public double jobRate;

  /** By how much j moves up and down from one sample to the next, in bytes. */
  public double jobNoise;

  /** When a sample last left no room to grow. */
  public double blockedMillis;

  /** The least room since there has been any to grow. */
  public double leastRoomBytes;

  /** What the tiers failed to give lately. */
  public double shortfallBytes;

  /** What the tiers permanently hold beyond their capacities. */
  public double overheadBytes;

  /** The share of time in which tasks wait for memory, smoothed. */
  public double pressure;

  /** u of the last sample, of the tiers that were decided together. */
  public double capacityBytes;

  /** What these tiers held when that or their capacity last moved. */
  public double tierUsedBytes;

  /** For how long neither has moved. */
  public double stillMillis;

  /** Which way u moved last: 1, −1, or 0. */
  public double direction;

  /** v of the last three samples, the newest first. */
  public double[] usedBytes = new double[LAGS - 1];

  /** How far u has moved lately, up and down. */
  public double capacityTravel;

  /** How often u has turned lately. */
  public double turns;

  /** v − used, by how many samples the figure of what the tier holds may be late. */
  public double[] load = new double[LAGS];

  /** How far each of these has moved lately, up and down. */
  public double[] loadTravel = new double[LAGS];

  /** How often the growth gain is halved. */
  public double halvings;

  /** Samples since it was halved or doubled last. */
  public double samplesSinceChange;

  /** Begins the settle time anew with the next sample, as a silence shows no room. */
  public void block() {
    blockedMillis = Double.MAX_VALUE;
  }

  /** Adds to j what is no rise of the jobs, as a tier left; below 0 as one joined. */
  public void addToJobs(double bytes) {
    heldBytes = Math.max(0, heldBytes + bytes);
    jobBytes = Math.max(0, jobBytes + bytes);
  }

  /** A copy for a tier that takes no part in the steps: it has waited for long enough to grow. */
  public NodeModel settled() {
    NodeModel copy = clone();
    copy.blockedMillis = 0;
    copy.leastRoomBytes = Double.MAX_VALUE;
    return copy;
  }

  /** A copy that changes on its own. */
  @Override
  public NodeModel clone() {
    try {
      NodeModel copy = (NodeModel) super.clone();
      copy.usedBytes = usedBytes.clone();
      copy.load = load.clone();
      copy.loadTravel = loadTravel.clone();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
