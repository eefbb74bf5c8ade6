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
