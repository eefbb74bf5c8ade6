package io.dynims.torture.plan;

import java.util.List;

/**
 * A node.
 *
 * @param totalBytes its memory
 * @param noiseBytes by how much its jobs' memory moves up and down
 * @param drift by which part of the time its clock is too fast
 * @param reporting how its memory is reported
 * @param measured whether its reader tells what the first tier holds; otherwise only acks do
 * @param baseBytes what its jobs hold from the beginning
 */
public record NodeSetup(
    String name,
    long totalBytes,
    long baseBytes,
    long noiseBytes,
    double drift,
    Reporting reporting,
    boolean measured,
    List<TierSetup> tiers) {

  /** The same, whose reader tells what the first tier holds. */
  public NodeSetup withAMeasuredTier() {
    return with(tiers, reporting == Reporting.Stock ? Reporting.EverySample : reporting, true);
  }

  /** The same with stores that free memory at once. */
  public NodeSetup withStoresThatFreeAtOnce() {
    return with(tiers.stream().map(TierSetup::freeingAtOnce).toList(), reporting, measured);
  }

  /** The same with guards that do not brake. */
  public NodeSetup withoutBrakes() {
    return with(tiers.stream().map(TierSetup::withoutBrakes).toList(), reporting, measured);
  }

  private NodeSetup with(List<TierSetup> newTiers, Reporting newReporting, boolean newMeasured) {
    return new NodeSetup(
        name, totalBytes, baseBytes, noiseBytes, drift, newReporting, newMeasured, newTiers);
  }

  /** How a node reports its memory. */
  public enum Reporting {
    /** The shipped reader sends every sample. */
    EverySample,
    /** The shipped reader leaves out samples that repeat the last one sent. */
    ByException,
    /** collectd's stock plugin sends six values each time. */
    Stock
  }
}
