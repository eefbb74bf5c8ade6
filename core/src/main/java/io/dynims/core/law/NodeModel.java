package io.dynims.core.law;

/**
 * What {@link ForecastLaw} has learnt of a node from its samples: what its jobs hold, how that
 * moves, and how its tiers answer. It is a POJO by Flink's rules, so that saved state can gain
 * fields.
 */
public final class NodeModel implements Cloneable {

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
      return (NodeModel) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
