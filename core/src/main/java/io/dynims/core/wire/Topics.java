package io.dynims.core.wire;

/** The Kafka topics; each carries one kind of value. */
public final class Topics {
  /** collectd's own JSON, untouched. */
  public static final String METRICS = "dynims.metrics";

  /** {@link Policy}, compacted, key {@code node/tier}; a null value withdraws the policy. */
  public static final String POLICIES = "dynims.policies";

  /** {@link Target}, key {@code node/tier}. */
  public static final String TARGETS = "dynims.targets";

  /**
   * The {@link Target}s kept for the last hour, two for each half minute, key {@code node/tier}.
   */
  public static final String HISTORY = "dynims.history";

  /** {@link Ack}, key {@code node/tier}. */
  public static final String ACKS = "dynims.acks";

  /** Renewals of the lease that controllers without Kubernetes share; one partition. */
  public static final String LEADER = "dynims.leader";

  /** What controllers that share the fleet tell one another; one partition. */
  public static final String CONTROLLERS = "dynims.controllers";

  private Topics() {}
}
