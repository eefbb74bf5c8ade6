package io.dynims.core.guard;

import io.dynims.core.law.LawInput;
import io.dynims.core.law.LawParameters;

/**
 * The rule by which the guard on a node makes room at once, whatever law the policy names: above a
 * critical utilization, or when the next sample would be above the node's memory, it takes from the
 * tier's data all that the node holds above the threshold. It never grows a tier.
 *
 * @param threshold r0 of the policy
 * @param criticalUtilization the utilization from which on it acts, at least the threshold
 * @param pressureLimit the share of time in which tasks wait for memory, above which it acts from
 *     the threshold on; 1 for never
 */
record Brake(double threshold, double criticalUtilization, double pressureLimit) {

  /**
   * Whether the node needs room at once.
   *
   * @param riseBytes by how much more memory is in use than at the sample before
   * @param pressure the share of the time since the sample before in which tasks waited for memory;
   *     NaN if unknown
   */
  boolean isNeeded(long memoryUsedBytes, long riseBytes, long memoryTotalBytes, double pressure) {
    double used = memoryUsedBytes;
    return used > criticalUtilization * memoryTotalBytes
        || used + Math.max(0, riseBytes) > memoryTotalBytes
        || (pressure > pressureLimit && used > threshold * memoryTotalBytes);
  }

  /**
   * The capacity that makes room: what the tier holds, less what would be in use above the
   * threshold after one more rise of this size. At least the floor of the parameters, at most the
   * capacity in force.
   *
   * @param frees whether the tier still frees what it holds above the capacity in force
   * @param part the part of what is too much that this tier gives, above 0 and at most 1
   */
  long capacityBytes(
      LawInput input, LawParameters parameters, long riseBytes, boolean frees, double part) {
    double excessBytes =
        (double) input.memoryUsedBytes()
            + Math.max(0, riseBytes)
            - threshold * input.memoryTotalBytes();
    long heldBytes =
        frees
            ? input.tier().usedBytes()
            : Math.min(input.capacityBytes(), input.tier().usedBytes());
    long keptBytes = (long) Math.max(0, heldBytes - part * Math.max(0, excessBytes));
    return Math.min(input.capacityBytes(), Math.max(parameters.floorBytes(), keptBytes));
  }
}
