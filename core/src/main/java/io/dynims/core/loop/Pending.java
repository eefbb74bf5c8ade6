package io.dynims.core.loop;

/**
 * A decision that is on its way to a tier, or has been answered.
 *
 * @param sampledMillis when the memory behind it counts as sampled, by the node's clock
 */
public record Pending(long capacityBytes, long sampledMillis) {}
