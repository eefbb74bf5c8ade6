package io.dynims.core.law;

/**
 * The proportional law of Xuan et al., "DynIMS: A Dynamic Memory Controller for In-memory Storage
 * on HPC Systems", equation 1:
 *
 * <pre>
 *   u[i+1] = u[i] − λ · v[i] · (r[i] − r0) / r0          Umin ≤ u[i+1] ≤ Umax
 *
 *   u   capacityBytes                 r0  threshold
 *   v   memoryUsedBytes               λ   gain
 *   r   utilization, v / M            M   memoryTotalBytes
 * </pre>
 *
 * With hints, v is {@link LawInput#claimedBytes}: what jobs are about to take counts as taken.
 *
 * <p>The result is exact to the byte: never rounded to blocks, without a dead band.
 */
public record FeedbackLaw(LawParameters parameters) implements ControlLaw {

  @Override
  public CapacityDecision decide(LawInput input, NodeModel model) {
    double step = stepBytes(input, parameters.threshold(), parameters.gain());
    return CapacityDecision.bounded(input, parameters, step);
  }

  /** λ · v · (r − r0) / r0 in bytes: what equation 1 takes from the capacity. */
  static double stepBytes(LawInput input, double threshold, double gain) {
    return gain * input.claimedBytes() * (input.claimedUtilization() - threshold) / threshold;
  }
}
